package dev.refrain.trials.simulation.world;

import dev.refrain.trials.simulation.machine.SeededRandom;
import java.time.Duration;

/** Faults of whole processes and clocks, during each act. */
final class ProcessFaultInjector {

    private static final Duration LONGEST_DOWN = Duration.ofSeconds(15);

    private final SimulatedWorld world;
    private final SeededRandom chance;

    ProcessFaultInjector(SimulatedWorld world, SeededRandom chance) {
        this.world = world;
        this.chance = chance;
    }

    void scheduleFaults() {
        for (var act : world.plan().acts()) {
            for (int i = 0; i < world.plan().faults().troubles(); i++) {
                var moment = act.from().plus(chance.upTo(act.until().minus(act.from())));
                world.outside().after(moment.minus(world.age()), this::strike);
            }
        }
    }

    /** Deploys, which is no fault: it happens in quiet worlds too. */
    void deploy() {
        for (var act : world.plan().acts()) {
            if (chance.oneIn(2)) {
                var moment = act.from().plus(chance.upTo(act.until().minus(act.from())));
                world.outside().after(moment.minus(world.age()), this::replace);
            }
        }
    }

    /**
     * Lets the store's clock be ahead in some worlds, for long enough that sweeps run meanwhile, and come back. Only in the first act:
     * in the second, outcomes would expire by it, and be there again when it is back.
     *
     * @param own random numbers of its own, so that other worlds are as they would be without it
     */
    void letStoreClockBeAhead(SeededRandom own) {
        if (world.plan().faults().troubles() > 0 && own.oneIn(3)) {
            var by = own.between(Duration.ofMinutes(2), Duration.ofMinutes(5));
            var from = own.upTo(Duration.ofSeconds(12));
            world.outside().after(from, () -> stepStoreClock(by));
            world.outside()
                    .after(
                            from.plus(own.between(Duration.ofSeconds(10), Duration.ofSeconds(20))),
                            () -> stepStoreClock(by.negated()));
        }
    }

    private void strike() {
        var node = chance.pick(world.nodes());
        switch (chance.below(11)) {
            case 0, 1 -> node.crash();
            case 2, 3, 4 -> node.pause(some(25));
            case 5 -> node.suspend(some(25));
            case 6 -> node.jumpClock(some(20));
            case 7, 8 -> node.cutOff(some(12));
            case 9 -> world.nodes().forEach(n -> n.cutOff(some(8)));
            default -> stepStoreClock(some(3));
        }
        world.outside().sleep(chance.upTo(LONGEST_DOWN));
        node.boot();
    }

    private void stepStoreClock(Duration by) {
        world.outside().trace(() -> "STORE CLOCK " + by);
        world.clock().step(by);
        world.eyes().afterClockStep();
        world.nodes().forEach(SimulatedNode::mismeasures);
    }

    private void replace() {
        var node = chance.pick(world.nodes());
        node.shutDown(some(5));
        world.outside().sleep(Duration.ofSeconds(12).plus(chance.upTo(LONGEST_DOWN)));
        node.boot();
    }

    private Duration some(int seconds) {
        return chance.upTo(Duration.ofSeconds(seconds));
    }
}
