package dev.refrain.trials.simulation.world;

import dev.refrain.trials.simulation.machine.SimulatedThreadGroup;
import java.time.Duration;
import java.util.Optional;

/** A place where one process after the other lives. */
final class SimulatedNode {

    private final SimulatedWorld world;
    private final int number;
    private int generation;
    private Optional<SimulatedProcess> process = Optional.empty();

    SimulatedNode(SimulatedWorld world, int number) {
        this.world = world;
        this.number = number;
    }

    /** The process that takes calls here, if one does. */
    Optional<SimulatedProcess> process() {
        return process.filter(p -> !p.domain().isDead());
    }

    /** Starts a process unless one lives. */
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

    /** A pause of the whole process; its clock goes on, as it does in a garbage collection. */
    void pause(Duration time) {
        process().ifPresent(p -> {
            p.domain().trace(() -> "PAUSE " + time);
            hold(p, time, p.domain()::resume);
        });
    }

    /** A suspended machine: its clock stands still too. */
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
        held.lost(time);
        world.outside().after(time, letGo);
    }

    void jumpClock(Duration by) {
        process().ifPresent(p -> {
            p.domain().trace(() -> "CLOCK +" + by);
            p.environment().jumpForward(by);
        });
        mismeasures();
    }

    /** What it measures now, on its clock or the store's, it measures wrongly: for as long as anything takes. */
    void mismeasures() {
        process().ifPresent(p -> p.domain().heldUp(Duration.ofMinutes(5)));
    }

    /** For so long it reaches the store no more: what it asks is refused, or lost on its way. */
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
