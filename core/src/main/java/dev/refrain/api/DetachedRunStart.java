package dev.refrain.api;
/** What came of asking to run work that does not end on the thread it began on. */
public sealed interface DetachedRunStart permits DetachedRunStart.AlreadyAnswered, DetachedRun {

    /** There is nothing to run. */
    record AlreadyAnswered(OperationResult result) implements DetachedRunStart {}
}
