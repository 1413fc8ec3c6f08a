package dev.refrain.outbox.jobs;

import org.jspecify.annotations.Nullable;

/** What is known of a job under a key. */
public sealed interface JobResult<R> {

    /** @param value what it gave, which may be nothing */
    record Done<R>(@Nullable R value) implements JobResult<R> {}

    /**
     * It ran, and its failure was kept.
     *
     * @param mayHaveHappened whether it may have taken effect all the same: what it wrote in a transaction is taken back, what it called is not
     */
    record Failed<R>(String message, boolean mayHaveHappened) implements JobResult<R> {}

    /** It is running, or was begun and will go on. */
    record Running<R>() implements JobResult<R> {}

    /** Nobody knows whether it took effect: it waits for a decision. */
    record Unknown<R>() implements JobResult<R> {}

    /** It waits in a queue, was never enqueued, or its key is forgotten. */
    record NotStarted<R>() implements JobResult<R> {}
}
