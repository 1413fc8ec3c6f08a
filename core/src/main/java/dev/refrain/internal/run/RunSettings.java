package dev.refrain.internal.run;

import dev.refrain.store.TransactionLimits;
import java.time.Duration;

/**
 * Settings with which one operation runs. Immutable.
 *
 * @param patience how long a claim may wait before the store counts as unreachable
 */
public record RunSettings(
        String operation,
        LeaseSettings leasing,
        OutcomePolicy keeping,
        ConcurrentRetryPolicy inFlight,
        StoreOutagePolicy storeAway,
        Duration patience) {

    /** Behaviour while the store is unreachable. */
    public enum StoreOutagePolicy {
        /** Nothing runs. */
        REFUSE,
        /** The work runs UNPROTECTED, and every such run is reported. */
        RUN_UNPROTECTED
    }

    /** Returns the limits of a transaction that one call runs in. */
    TransactionLimits transactionLimits() {
        return new TransactionLimits(patience, leasing.maxRun());
    }

    /** Returns these settings for a call that must not wait for another one. */
    RunSettings withoutWaiting() {
        return new RunSettings(operation, leasing, keeping, new ConcurrentRetryPolicy.Reject(), storeAway, patience);
    }
}
