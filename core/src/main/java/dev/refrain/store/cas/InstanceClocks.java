package dev.refrain.store.cas;

import java.time.Duration;
import java.time.Instant;

/** Clocks of instances that share a store without a clock. */
record InstanceClocks(Duration allowance) implements RecordClock {

    @Override
    public Duration shortfallSince(Instant moment) {
        return allowance;
    }

    @Override
    public Duration unnoted(Instant now) {
        return Duration.ZERO;
    }

    @Override
    public void note(Instant moment) {
        // Nothing is remembered: the allowance covers it.
    }

    @Override
    public void look(Instant now) {
        // Nothing is remembered: the allowance covers it.
    }
}
