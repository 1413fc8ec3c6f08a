package dev.refrain.api;

import java.time.Duration;
import java.util.Optional;

/**
 * The exclusive right to run an operation, as its work sees it.
 *
 * <p>Safe for use by the threads the work starts. Steering calls count until the work returns or throws.
 */
public interface Claim {

    /** The record's id: the same for every run of this key until it expires. */
    RecordId recordId();

    /** Grows with every claim of the record. Hand it to systems that can refuse a writer with a lower one. */
    long fence();

    /** Whether an earlier claim of this record ended without completing it: the work may have happened in part. */
    default boolean isResumed() {
        return fence() > 1;
    }

    /** The last committed phase, for operations that have phases. */
    Optional<String> recoveryPoint();

    /** What the last committed phase left for this one. */
    Optional<Payload> carriedState();

    /**
     * The key to send downstream from this step: always the same for this record and step, across retries, releases,
     * takeovers and crashes. Asking for it marks the claim: from now on something may have been sent.
     */
    String derivedKey(String step);

    /** Whether a downstream key was asked for. */
    boolean mayHaveSent();

    /**
     * Whether the claim is known to be lost: someone else took it over, or its lease ran out unrenewed. Long work asks now
     * and then, and stops: its outcome will not be taken.
     */
    boolean isLost();

    /** How long the record still lives by the store's clock, at the least: the store may have taken its time to answer; empty for ever. */
    Optional<Duration> minRemainingLife();

    /**
     * Keep the outcome for another time than the operation's, counted from the first claim. A time for which clients may
     * still retry is not cut short: then the operation's own holds. Nor is that of a released record with which a transactional run
     * goes on.
     */
    void retainFor(Retention retention);

    /**
     * Do not keep this answer: a retry is to run again (or, with {@code HOLD}, is to meet it as the outcome all the same). A success of a
     * transactional run is done whatever is kept of it: a retry is told that, unless {@link #declareNoEffect} is said too.
     */
    void doNotKeepAnswer();

    /** Keep that it was done and not what it answered: a retry is told so, and never runs. */
    void keepStateOnly(String reason);

    /**
     * If this run fails or its answer is not kept, nothing happened: a retry may run, even with {@code HOLD} and whatever its rule keeps.
     */
    void declareNoEffect();
}
