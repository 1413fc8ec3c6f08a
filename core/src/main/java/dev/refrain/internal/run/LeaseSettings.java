package dev.refrain.internal.run;

import dev.refrain.api.DurationText;
import dev.refrain.api.LeaseExpiryPolicy;
import java.time.Duration;

/**
 * Lease of a claim and its renewal. Immutable.
 *
 * @param lease how long a claim is held without a heartbeat, which is how long a crash delays a retry
 * @param renewEvery interval of heartbeats
 * @param maxRun time after which the lease is no longer renewed, even if the process is alive
 * @param takeOver handling of a claim whose lease expires
 */
public record LeaseSettings(Duration lease, Duration renewEvery, Duration maxRun, LeaseExpiryPolicy takeOver) {

    public static final Duration LEASE = Duration.ofSeconds(30);
    public static final Duration RENEW_EVERY = Duration.ofSeconds(10);
    public static final Duration MAX_RUN = Duration.ofMinutes(10);

    public LeaseSettings {
        if (!renewEvery.isPositive()
                || lease.compareTo(renewEvery.multipliedBy(2)) < 0
                || maxRun.compareTo(lease) < 0) {
            throw new IllegalArgumentException(
                    "lease must be at least twice renew-every and at most max-run-time, but lease is "
                            + DurationText.of(lease) + ", renew-every " + DurationText.of(renewEvery)
                            + " and max-run-time " + DurationText.of(maxRun) + ".");
        }
    }

    public static LeaseSettings standard(LeaseExpiryPolicy takeOver) {
        return new LeaseSettings(LEASE, RENEW_EVERY, MAX_RUN, takeOver);
    }

    public LeaseSettings lasting(Duration newLease) {
        return new LeaseSettings(
                newLease, newLease.dividedBy(3), maxRun.compareTo(newLease) < 0 ? newLease : maxRun, takeOver);
    }

    public LeaseSettings running(Duration longest) {
        return new LeaseSettings(lease, renewEvery, longest, takeOver);
    }
}
