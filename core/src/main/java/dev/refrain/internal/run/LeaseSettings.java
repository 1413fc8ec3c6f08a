package dev.refrain.internal.run;

import dev.refrain.api.LeaseExpiryPolicy;
import java.time.Duration;

/**
 * How a leased claim is held.
 *
 * @param lease how long a claim holds without being renewed: how long a crash delays a retry
 * @param renewEvery how often a running claim is renewed
 * @param maxRun after this the lease is no longer renewed, however alive the process is
 * @param takeOver what becomes of a claim whose lease is over
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
                    "lease must be at least twice renew-every and at most max-run, but lease is " + lease
                            + ", renew-every " + renewEvery + " and max-run " + maxRun + ".");
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
