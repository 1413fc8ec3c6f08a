package dev.refrain.http;

import dev.refrain.Operation;
import java.time.Duration;

/**
 * How the handler is run.
 *
 * @param withPatience how long a claim may wait for the store
 * @param failOpen run UNPROTECTED if the store cannot be asked
 */
public record HandlerRunPolicy(
        OperationMode mode,
        InFlightPolicy inFlight,
        Duration lease,
        Duration maxRun,
        Duration withPatience,
        boolean failOpen) {

    private static final Duration PATIENCE = Duration.ofSeconds(3);

    public HandlerRunPolicy {
        if (mode instanceof OperationMode.Transactional && inFlight instanceof InFlightPolicy.Async) {
            throw new IllegalArgumentException(
                    "in-flight: async does not go with transactional work, which cannot be looked at before it commits; use reject or wait.");
        }
        if (!(mode instanceof OperationMode.Leased) && failOpen) {
            throw new IllegalArgumentException(
                    "fail-open goes with leased work only; other work needs the database that its keys are in.");
        }
    }

    public static HandlerRunPolicy of(OperationMode mode) {
        return new HandlerRunPolicy(
                mode,
                new InFlightPolicy.Reject(),
                Operation.DEFAULT_LEASE,
                Operation.DEFAULT_MAX_RUN_TIME,
                PATIENCE,
                false);
    }

    public HandlerRunPolicy withMode(OperationMode other) {
        return new HandlerRunPolicy(other, inFlight, lease, maxRun, withPatience, failOpen);
    }

    public HandlerRunPolicy with(InFlightPolicy other) {
        return new HandlerRunPolicy(mode, other, lease, maxRun, withPatience, failOpen);
    }

    public HandlerRunPolicy withLease(Duration other) {
        return new HandlerRunPolicy(mode, inFlight, other, maxRun, withPatience, failOpen);
    }

    public HandlerRunPolicy withMaxRun(Duration other) {
        return new HandlerRunPolicy(mode, inFlight, lease, other, withPatience, failOpen);
    }

    public HandlerRunPolicy withPatience(Duration other) {
        return new HandlerRunPolicy(mode, inFlight, lease, maxRun, other, failOpen);
    }

    public HandlerRunPolicy withFailOpen() {
        return new HandlerRunPolicy(mode, inFlight, lease, maxRun, withPatience, true);
    }
}
