package dev.refrain.http.policy;

import dev.refrain.run.Leasing;
import java.time.Duration;

/**
 * How the handler is run.
 *
 * @param withPatience how long a claim may wait for the store
 * @param failOpen run UNPROTECTED if the store cannot be asked
 */
public record RunPolicy(
        Mode mode, InFlightPolicy inFlight, Duration lease, Duration maxRun, Duration withPatience, boolean failOpen) {

    private static final Duration PATIENCE = Duration.ofSeconds(3);

    public RunPolicy {
        if (mode instanceof Mode.Transactional && inFlight instanceof InFlightPolicy.Async) {
            throw new IllegalArgumentException(
                    "in-flight: async does not go with transactional work, which cannot be looked at before it commits; use reject or wait.");
        }
        if (!(mode instanceof Mode.Leased) && failOpen) {
            throw new IllegalArgumentException(
                    "fail-open goes with leased work only; other work needs the database that its keys are in.");
        }
    }

    public static RunPolicy of(Mode mode) {
        return new RunPolicy(mode, new InFlightPolicy.Reject(), Leasing.LEASE, Leasing.MAX_RUN, PATIENCE, false);
    }

    public RunPolicy withMode(Mode other) {
        return new RunPolicy(other, inFlight, lease, maxRun, withPatience, failOpen);
    }

    public RunPolicy with(InFlightPolicy other) {
        return new RunPolicy(mode, other, lease, maxRun, withPatience, failOpen);
    }

    public RunPolicy withLease(Duration other) {
        return new RunPolicy(mode, inFlight, other, maxRun, withPatience, failOpen);
    }

    public RunPolicy withMaxRun(Duration other) {
        return new RunPolicy(mode, inFlight, lease, other, withPatience, failOpen);
    }

    public RunPolicy withPatience(Duration other) {
        return new RunPolicy(mode, inFlight, lease, maxRun, other, failOpen);
    }

    public RunPolicy withFailOpen() {
        return new RunPolicy(mode, inFlight, lease, maxRun, withPatience, true);
    }
}
