package dev.refrain.api;

import java.util.Optional;

/**
 * Claimed work in progress. Its opener reports the end exactly once, on any thread, by {@link #complete}, {@link #fail} or {@link
 * #abandon}. Until then its lease is renewed, up to the operation's maximum run time. Implemented by Refrain, not by users.
 */
public non-sealed interface AsyncRun extends AsyncRunStart {

    /** Part of the work. */
    @FunctionalInterface
    interface WorkPart<X extends Exception> {
        void run() throws X;
    }

    Claim claim();

    /**
     * Runs a part of the work on this thread; a shutdown interrupts the thread, and the part may still call other operations.
     */
    <X extends Exception> void runPart(WorkPart<X> part) throws X;

    /**
     * Ends the run with the work's answer. Returns the result for the client: the answer, stored if the outcome rule keeps it; or
     * the outcome of another claim that took this one over.
     */
    OperationResult complete(Outcome.Answer answer);

    /** Ends the run with a failure. Returns the stored outcome if another claim took this one over and completed it. */
    Optional<OperationResult> fail(Throwable failure);

    /**
     * Ends the run without knowing whether the work has ended: the lease is neither renewed nor released, since a release would
     * let a second run start beside the first.
     */
    void abandon();

    /** Returns true if a failure would be stored as the outcome. */
    boolean keepsFailure();

    boolean hasEnded();

    /**
     * Calls the action once, on a thread of its own, if the run has not ended at the operation's maximum run time. The run goes on:
     * its lease is no longer renewed, and its outcome is still stored if it ends before another claim takes it over. A run that
     * failed open has no lease and no maximum run time.
     */
    void onMaxRunTimeExceeded(Runnable action);
}
