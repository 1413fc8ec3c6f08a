package dev.refrain.internal.run;

import java.time.Duration;

/**
 * How one operation runs.
 *
 * @param patience how long a claim may wait for the store before the caller is told that it is out of reach
 */
public record RunSettings(
        String operation,
        LeaseSettings leasing,
        OutcomePolicy keeping,
        ConcurrentRetryPolicy inFlight,
        StoreOutagePolicy storeAway,
        Duration patience) {

    /** What happens when the store cannot be asked. */
    public enum StoreOutagePolicy {
        /** Nothing runs. */
        REFUSE,
        /** The work runs UNPROTECTED, and every such run is reported. */
        RUN_UNPROTECTED
    }

    /** Returns these settings for a call that must not wait for another one. */
    RunSettings withoutWaiting() {
        return new RunSettings(operation, leasing, keeping, new ConcurrentRetryPolicy.Reject(), storeAway, patience);
    }
}
