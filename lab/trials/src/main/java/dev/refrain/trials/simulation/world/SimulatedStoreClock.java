package dev.refrain.trials.simulation.world;

import dev.refrain.trials.simulation.machine.SimulationScheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Clock of the store, which is stepped forward now and then, as database clocks are. */
final class SimulatedStoreClock implements InstantSource {

    private final SimulationScheduler scheduler;
    private Duration stepped = Duration.ZERO;

    SimulatedStoreClock(SimulationScheduler scheduler) {
        this.scheduler = scheduler;
    }

    @Override
    public Instant instant() {
        return Instant.EPOCH.plusNanos(scheduler.now()).plus(stepped);
    }

    void stepForward(Duration by) {
        stepped = stepped.plus(by);
    }

    Duration stepped() {
        return stepped;
    }
}
