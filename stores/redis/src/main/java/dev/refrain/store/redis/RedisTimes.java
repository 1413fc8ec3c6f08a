package dev.refrain.store.redis;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times as they are stored: whole microseconds. */
final class RedisTimes {

    private static final int NANOS_PER_MICRO = 1_000;
    private static final long MICROS_PER_SECOND = 1_000_000L;

    private RedisTimes() {}

    /** Returns the microseconds of a duration, rounded up so that nothing ends early. */
    static long micros(Duration time) {
        var up = time.plusNanos(NANOS_PER_MICRO - 1);
        return up.toSeconds() * MICROS_PER_SECOND + up.toNanosPart() / NANOS_PER_MICRO;
    }

    static long sinceEpoch(Instant moment) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, moment);
    }

    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    static Duration duration(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }
}
