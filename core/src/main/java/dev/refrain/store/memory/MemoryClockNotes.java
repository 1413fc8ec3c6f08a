package dev.refrain.store.memory;

import dev.refrain.store.cas.RecordClock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/** Notes of how far a clock has come, by which the next look sees that it was set back. Guarded by the store's lock. */
final class MemoryClockNotes implements RecordClock {

    /** How much longer the clock may have gone on after it was last looked at, before it was set back. */
    private static final Duration SLACK = Duration.ofMinutes(1);

    private static final Duration YOUNG = Duration.ofSeconds(30);

    private final Consumer<Instant> whole;
    private Instant seen = Instant.EPOCH;
    private Instant peak = Instant.EPOCH;
    private Duration total = Duration.ZERO;

    /** @param whole looks at the clock for all records */
    MemoryClockNotes(Consumer<Instant> whole) {
        this.whole = whole;
    }

    @Override
    public void look(Instant now) {
        whole.accept(now);
    }

    @Override
    public Duration allowance() {
        return Duration.ZERO;
    }

    /** Looks at the clock, and returns by how much at least it was set back since the last look. */
    Duration take(Instant now) {
        var back = pending(now);
        if (!back.isZero()) {
            var latest = seen.plus(SLACK);
            peak = latest.isAfter(peak) ? latest : peak;
            total = total.plus(back).plus(SLACK);
        }
        seen = now;
        return back;
    }

    /** Raises the note where a time is taken that an age is counted from: between two looks the clock may be ahead for a moment. */
    @Override
    public void note(Instant now) {
        seen = now.isAfter(seen.plus(YOUNG)) ? now : seen;
    }

    /**
     * Returns how far the clock was set back since a moment, as far as that was noted: rather too much than too little, since a moment that it
     * passed twice counts as the first time.
     */
    @Override
    public Duration shortfallSince(Instant moment) {
        return moment.isAfter(peak) ? Duration.ZERO : total;
    }

    /** Returns what the next look will note. It shrinks until then, so no two ages that are compared with each other may contain it. */
    @Override
    public Duration unnoted(Instant now) {
        var pending = pending(now);
        return pending.isZero() ? Duration.ZERO : pending.plus(SLACK);
    }

    private Duration pending(Instant now) {
        return seen.isAfter(now) ? Duration.between(now, seen) : Duration.ZERO;
    }
}
