package dev.refrain.api;

import java.util.Optional;

/**
 * Claimed work under way. Its opener says how it ended, on any thread, exactly once: {@link #complete}, {@link #fail} or {@link
 * #abandon}. Until then its lease is renewed, up to the operation's maximum run time. Made by Refrain, not by users.
 */
public non-sealed interface DetachedRun extends DetachedRunStart {

    /** A part of the work. */
    @FunctionalInterface
    interface WorkPart<X extends Exception> {
        void run() throws X;
    }

    Claim claim();

    /** Does a part of the work here: at a shutdown this thread is interrupted, and other operations may still be called. */
    <X extends Exception> void runPart(WorkPart<X> part) throws X;

    /**
     * Ends the run with the work's answer. The result is what to tell the client: the answer, stored if it is to be kept; or the
     * outcome that another claim stored after taking this one over.
     */
    OperationResult complete(Outcome.Answer answer);

    /** Ends the run with a failure. Gives the stored outcome if another claim took this one over and completed it. */
    Optional<OperationResult> fail(Throwable failure);

    /**
     * Ends the run without knowing whether the work has ended: the lease is no longer renewed, and not released either, which would
     * let a second run start beside the first.
     */
    void abandon();

    /** Whether a failure would be kept as the outcome. */
    boolean keepsFailure();

    boolean hasEnded();
}
