package dev.refrain.store;
/**
 * What one {@link RecordEraser#erase} did.
 *
 * @param erased records whose contents are gone
 * @param leftInUse records in progress, in attention or between two phases: erase again once they are settled
 * @param hasMore whether the limit was reached: erase again
 */
public record ErasureResult(int erased, int leftInUse, boolean hasMore) {}
