package dev.refrain.trials.simulation.law;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.OutcomeRule;
import dev.refrain.api.ScopedKey;
import java.time.Duration;
import java.time.Instant;

/**
 * One call of an operation by one client, as it reached a process.
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

    /** What its operation agreed to. */
    public record Terms(Duration lease, Duration maxRun, Duration retention, OutcomeRule outcomeRule) {}

    /** How its operation runs. */
    public enum Mode {
        LEASED,
        TRANSACTIONAL,
        /** In a transaction that its caller ends. */
        WITHIN,
        FLOW;

        /** Whether its work and its outcome commit together. */
        boolean isOneCommit() {
            return this == TRANSACTIONAL || this == WITHIN;
        }
    }

    @Override
    public String toString() {
        return "#" + number + " " + TraceText.name(identity) + "=" + request;
    }
}
