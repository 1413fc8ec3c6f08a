package dev.refrain.api;

import java.time.Duration;
import java.util.Optional;

/**
 * Exclusive right to run an operation, as its work sees it.
 *
 * <p>Thread-safe. Calls that change how the run ends count until the work returns or throws.
 */
public interface Claim {

    /** Returns the record's id: the same for every run of this key until it expires. */
    RecordId recordId();

    /**
     * Returns the fence, which grows with every claim of the record. Pass it to systems that can reject a writer with a lower
     * one.
     */
    long fence();

    /**
     * Returns true if an earlier claim of this record ended without completing it, so that the work may have happened in part.
     */
    default boolean isResumed() {
        return fence() > 1;
    }

    /** Returns the last committed recovery point, for operations with phases. */
    Optional<RecoveryPoint> recoveryPoint();

    /** Returns the state that the last committed phase passed on. */
    Optional<Payload> carriedState();

    /**
     * Returns the key to send downstream from this step: always the same for this record and step, across retries, releases,
     * takeovers and crashes. Calling this marks the claim: from now on something may have been sent.
     */
    String derivedKey(String step);

    /** Returns true if a derived key was requested. */
    boolean mayHaveSent();

    /**
     * Returns true if the claim is known to be lost: another caller took it over, or its lease expired. Long work should check
     * now and then, and stop: its outcome will be discarded.
     */
    boolean isLost();

    /**
     * Returns the least remaining lifetime of the record by the store's clock, allowing for the time of the store's reply; empty
     * if it never expires.
     */
    Optional<Duration> minRemainingLife();

    /**
     * Stores the outcome with another retention than the operation's, counted from the first claim. It never drops below the time
     * for which clients may still retry, nor shortens the life of a released record that a transactional run resumes; the
     * operation's own retention applies then.
     */
    void retainFor(Retention retention);

    /**
     * Does not store this answer, so that a retry runs again; with {@code HOLD}, where it must not run again, a retry learns that it is done. A success of
     * a transactional run is committed in any case: a retry learns that it is done, unless {@link #declareNoEffect} is called
     * too.
     */
    void doNotKeepAnswer();

    /** Stores only that the operation is done, not its answer: a retry learns so and never runs. */
    void keepStateOnly(String reason);

    /**
     * Declares that if this run fails or its answer is not stored, nothing happened: a retry may run, even with {@code HOLD} and
     * whatever the outcome rule.
     */
    void declareNoEffect();
}
