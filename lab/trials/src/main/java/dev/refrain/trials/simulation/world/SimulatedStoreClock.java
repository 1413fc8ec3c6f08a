package dev.refrain.trials.simulation.world;

import dev.refrain.trials.simulation.machine.SimulationScheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Clock of the store, which is stepped forward now and then, as database clocks are, and is ahead for a while at times. */
final class SimulatedStoreClock implements InstantSource {

    private final SimulationScheduler scheduler;
    private Duration offset = Duration.ZERO;
    private Duration stepped = Duration.ZERO;
    private Duration lastStep = Duration.ofDays(-1);
    private Instant peak = Instant.MIN;
    private Duration setBack = Duration.ZERO;

    SimulatedStoreClock(SimulationScheduler scheduler) {
        this.scheduler = scheduler;
    }

    @Override
    public Instant instant() {
        return Instant.EPOCH.plusNanos(scheduler.now()).plus(offset);
    }

    /** Steps the clock, forward or back. */
    void step(Duration by) {
        if (by.isNegative()) {
            peak = instant().isAfter(peak) ? instant() : peak;
            setBack = setBack.minus(by);
        }
        offset = offset.plus(by);
        stepped = stepped.plus(by.abs());
        lastStep = Duration.ofNanos(scheduler.now());
    }

    /** Returns how far it was set back since a moment, or more: what is measured by it across that is too short by as much. */
    Duration setBackSince(Instant moment) {
        return moment.isAfter(peak) ? Duration.ZERO : setBack;
    }

    /** Returns whether it went evenly for at least this long: leases that were measured by it ended when they should. */
    boolean evenFor(Duration time) {
        return lastStep.plus(time).compareTo(Duration.ofNanos(scheduler.now())) <= 0;
    }

    /** Returns the sum of all steps, whatever their direction. */
    Duration stepped() {
        return stepped;
    }
}
