package dev.refrain.trials.simulation.law;

import dev.refrain.key.Identity;
import dev.refrain.outcome.Profile;
import dev.refrain.store.TakeOver;
import java.time.Duration;
import java.time.Instant;

/**
 * One call of an operation by one client, as it reached a process.
 *
 * @param begun on the store's clock
 * @param begunNanos in true time
 */
public record Attempt(
        int number,
        String process,
        Identity identity,
        TakeOver takeOver,
        Mode mode,
        String request,
        Terms terms,
        Instant begun,
        long begunNanos) {

    /** What its operation agreed to. */
    public record Terms(Duration lease, Duration maxRun, Duration retention, Profile profile) {}

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
        return "#" + number + " " + Text.name(identity) + "=" + request;
    }
}
