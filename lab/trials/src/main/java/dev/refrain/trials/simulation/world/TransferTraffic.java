package dev.refrain.trials.simulation.world;

import dev.refrain.trials.simulation.machine.SeededRandom;
import java.time.Duration;
import java.util.Optional;

/** Clients that transfer money, a bank that books strays, and a look at the findings in the end. */
final class TransferTraffic {

    private final SimulatedWorld world;
    private final SeededRandom chance;

    TransferTraffic(SimulatedWorld world, SeededRandom chance) {
        this.world = world;
        this.chance = chance;
    }

    /** Transfers again and again, under few keys, at any process. */
    void transfer() {
        var plan = world.plan();
        for (int i = 0; i < plan.callsPerAct() * 3; i++) {
            world.outside().sleep(chance.upTo(Duration.ofSeconds(chance.oneIn(3) ? 12 : 3)));
            String id = chance.pick(plan.ledgers().orElseThrow().transfers()).key();
            anywhere()
                    .ifPresent(p ->
                            p.domain().start("transfer", () -> p.transfers().run(id)));
        }
    }

    void stray() {
        int strays = chance.below(4);
        for (int i = 0; i < strays; i++) {
            world.outside().sleep(chance.upTo(Duration.ofSeconds(30)));
            world.ledgerBank().stray();
        }
    }

    void look() {
        world.sleepUntil(world.plan().end().minus(Duration.ofSeconds(10)));
        anywhere().ifPresent(p -> p.domain().start("look", p.transfers()::look));
    }

    private Optional<SimulatedProcess> anywhere() {
        return chance.pick(world.nodes()).process();
    }
}
