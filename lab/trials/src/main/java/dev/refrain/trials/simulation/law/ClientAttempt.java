package dev.refrain.trials.simulation.law;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.OutcomeProfile;
import dev.refrain.api.ScopedKey;
import java.time.Duration;
import java.time.Instant;

/**
 * Call of an operation by one client, as it reached a process.
 *
 *
 * @param begun on the store's clock
 * @param begunNanos in true time
 */
public record ClientAttempt(
        int number,
        String process,
        ScopedKey identity,
        LeaseExpiryPolicy takeOver,
        Mode mode,
        String request,
        Terms terms,
        Instant begun,
        long begunNanos) {

    /** Durations that its operation declares. */
    public record Terms(Duration lease, Duration maxRun, Duration retention, OutcomeProfile profile) {}

    /** Mode of its operation. */
    public enum Mode {
        LEASED,
        TRANSACTIONAL,
        /** Joins a transaction that its caller ends. */
        WITHIN,
        FLOW;

        /** Returns whether its work and its outcome commit together. */
        boolean isOneCommit() {
            return this == TRANSACTIONAL || this == WITHIN;
        }
    }

    @Override
    public String toString() {
        return "#" + number + " " + TraceText.name(identity) + "=" + request;
    }
}
