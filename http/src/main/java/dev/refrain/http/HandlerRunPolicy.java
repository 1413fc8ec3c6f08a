package dev.refrain.http;

import dev.refrain.Operation;
import java.time.Duration;

/**
 * Settings for running a route's handler: mode, in-flight policy, lease, limits. Immutable.
 *
 * @param storeTimeout how long a claim may wait for the store
 * @param failOpen run the handler UNPROTECTED while the store is unreachable
 * @param requireCorrectStore reject a store that cannot guarantee every invariant
 */
public record HandlerRunPolicy(
        OperationMode mode,
        InFlightPolicy inFlight,
        Duration lease,
        Duration maxRunTime,
        Duration storeTimeout,
        boolean failOpen,
        boolean requireCorrectStore) {

    private static final Duration DEFAULT_STORE_TIMEOUT = Duration.ofSeconds(3);

    public HandlerRunPolicy {
        if (mode instanceof OperationMode.Transactional && inFlight instanceof InFlightPolicy.Async) {
            throw new IllegalArgumentException(
                    "in-flight: async does not go with mode transactional: other requests cannot see the work before it commits. Use reject or wait.");
        }
        if (!(mode instanceof OperationMode.Leased) && failOpen) {
            throw new IllegalArgumentException(
                    "fail-open goes with leased modes only: transactional work and flows need the database that holds their keys.");
        }
    }

    public static HandlerRunPolicy of(OperationMode mode) {
        return new HandlerRunPolicy(
                mode,
                new InFlightPolicy.Reject(),
                Operation.DEFAULT_LEASE,
                Operation.DEFAULT_MAX_RUN_TIME,
                DEFAULT_STORE_TIMEOUT,
                false,
                false);
    }

    public HandlerRunPolicy withMode(OperationMode other) {
        return new HandlerRunPolicy(other, inFlight, lease, maxRunTime, storeTimeout, failOpen, requireCorrectStore);
    }

    public HandlerRunPolicy with(InFlightPolicy other) {
        return new HandlerRunPolicy(mode, other, lease, maxRunTime, storeTimeout, failOpen, requireCorrectStore);
    }

    public HandlerRunPolicy withLease(Duration other) {
        return new HandlerRunPolicy(mode, inFlight, other, maxRunTime, storeTimeout, failOpen, requireCorrectStore);
    }

    public HandlerRunPolicy withMaxRunTime(Duration other) {
        return new HandlerRunPolicy(mode, inFlight, lease, other, storeTimeout, failOpen, requireCorrectStore);
    }

    public HandlerRunPolicy withStoreTimeout(Duration other) {
        return new HandlerRunPolicy(mode, inFlight, lease, maxRunTime, other, failOpen, requireCorrectStore);
    }

    public HandlerRunPolicy withFailOpen() {
        return new HandlerRunPolicy(mode, inFlight, lease, maxRunTime, storeTimeout, true, requireCorrectStore);
    }

    public HandlerRunPolicy withRequireCorrectStore() {
        return new HandlerRunPolicy(mode, inFlight, lease, maxRunTime, storeTimeout, failOpen, true);
    }
}
