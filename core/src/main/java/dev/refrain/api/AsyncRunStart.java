package dev.refrain.api;
/** Result of starting an asynchronous run: a run in progress, or a result that already exists. */
public sealed interface AsyncRunStart permits AsyncRunStart.AlreadyAnswered, AsyncRun {

    /** Nothing to run: the result already exists. */
    record AlreadyAnswered(OperationResult result) implements AsyncRunStart {}
}
