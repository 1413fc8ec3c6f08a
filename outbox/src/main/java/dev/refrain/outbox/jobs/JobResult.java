package dev.refrain.outbox.jobs;

import org.jspecify.annotations.Nullable;

/** State of a job under a key. */
public sealed interface JobResult<R> {

    /**
     * The job is done.
     *
     * @param value its result; null if it returned nothing
     */
    record Done<R>(@Nullable R value) implements JobResult<R> {}

    /**
     * The job failed for good.
     *
     * @param mayHaveHappened whether it may have taken effect nevertheless: its transaction is rolled back, its calls are not
     */
    record Failed<R>(String message, boolean mayHaveHappened) implements JobResult<R> {}

    /**
     * The job's message is a dead letter: it does not run again unless a person resends it.
     *
     * @param message why its last delivery failed
     * @param mayHaveHappened whether it may have taken effect nevertheless: its transaction is rolled back, its calls are not
     */
    record Dead<R>(String message, boolean mayHaveHappened) implements JobResult<R> {}

    /** The job is running, or was interrupted and will continue. */
    record Running<R>() implements JobResult<R> {}

    /** The outcome is unknown: a person has to resolve the record. */
    record Unknown<R>() implements JobResult<R> {}

    /** The job waits in a queue, was never enqueued, or its key has expired. */
    record NotStarted<R>() implements JobResult<R> {}
}
