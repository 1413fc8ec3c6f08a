package dev.refrain.run;

import dev.refrain.store.TakeOver;
import java.time.Duration;

/**
 * How a leased claim is held.
 *
 * @param lease how long a claim holds without being renewed: how long a crash delays a retry
 * @param renewEvery how often a running claim is renewed
 * @param maxRun after this the lease is no longer renewed, however alive the process is
 * @param takeOver what becomes of a claim whose lease is over
 */
public record Leasing(Duration lease, Duration renewEvery, Duration maxRun, TakeOver takeOver) {

    public static final Duration LEASE = Duration.ofSeconds(30);
    public static final Duration RENEW_EVERY = Duration.ofSeconds(10);
    public static final Duration MAX_RUN = Duration.ofMinutes(10);

    public Leasing {
        if (!renewEvery.isPositive()
                || lease.compareTo(renewEvery.multipliedBy(2)) < 0
                || maxRun.compareTo(lease) < 0) {
            throw new IllegalArgumentException(
                    "lease must be at least twice renew-every and at most max-run, but lease is " + lease
                            + ", renew-every " + renewEvery + " and max-run " + maxRun + ".");
        }
    }

    public static Leasing standard(TakeOver takeOver) {
        return new Leasing(LEASE, RENEW_EVERY, MAX_RUN, takeOver);
    }

    public Leasing lasting(Duration newLease) {
        return new Leasing(
                newLease, newLease.dividedBy(3), maxRun.compareTo(newLease) < 0 ? newLease : maxRun, takeOver);
    }

    public Leasing running(Duration longest) {
        return new Leasing(lease, renewEvery, longest, takeOver);
    }
}
