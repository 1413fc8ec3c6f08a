package dev.refrain.trials.simulation.world;

import dev.refrain.trials.simulation.machine.SimulatedThreadGroup;
import java.time.Duration;
import java.util.Optional;

/** Node on which one process after the other runs. */
final class SimulatedNode {

    private static final Duration MISMEASURED = Duration.ofMinutes(5);

    private final SimulatedWorld world;
    private final int number;
    private int generation;
    private Optional<SimulatedProcess> process = Optional.empty();

    SimulatedNode(SimulatedWorld world, int number) {
        this.world = world;
        this.number = number;
    }

    /** Returns the process that takes calls here, if one does. */
    Optional<SimulatedProcess> process() {
        return process.filter(p -> !p.domain().isDead());
    }

    /** Starts a process unless one is alive. */
    void boot() {
        if (process().isEmpty()) {
            generation++;
            SimulatedThreadGroup domain = world.scheduler().domain("n" + number + "." + generation);
            domain.trace(() -> "BOOT");
            process = Optional.of(new SimulatedProcess(world, domain));
        }
    }

    void crash() {
        process().ifPresent(p -> {
            p.domain().trace(() -> "CRASH");
            p.domain().kill();
        });
    }

    /** Pauses the whole process; its clock goes on, as in a garbage collection. */
    void pause(Duration time) {
        process().ifPresent(p -> {
            p.domain().trace(() -> "PAUSE " + time);
            hold(p, time, p.domain()::resume);
        });
    }

    /** Suspends the machine; its clock stands still too. */
    void suspend(Duration time) {
        process().ifPresent(p -> {
            p.domain().trace(() -> "SUSPEND " + time);
            hold(p, time, () -> {
                p.environment().stoodStill(time);
                p.domain().resume();
            });
        });
    }

    private void hold(SimulatedProcess held, Duration time, Runnable letGo) {
        held.domain().pause();
        held.domain().heldUp(time);
        var begun = world.age();
        world.outside().after(time, () -> {
            held.lost(world.age().minus(begun));
            letGo.run();
        });
    }

    void jumpClock(Duration by) {
        process().ifPresent(p -> {
            p.domain().trace(() -> "CLOCK +" + by);
            p.environment().jumpForward(by);
            p.domain().heldUp(MISMEASURED);
        });
    }

    /** Records that the store's clock jumped: what is measured by it is wrong for as long as anything takes. */
    void mismeasures() {
        process().ifPresent(p -> p.domain().disturbed(MISMEASURED));
    }

    /** Cuts it off from the store for this long: its requests are refused or lost. */
    void cutOff(Duration time) {
        process().ifPresent(p -> {
            p.domain().trace(() -> "CUT OFF " + time);
            p.domain().disturbed(time);
            p.line().cut(time);
        });
    }

    void shutDown(Duration toFinish) {
        process().ifPresent(p -> p.shutDown(toFinish));
    }
}
