package dev.refrain.benchmarks;
/** One side of a comparison: the call that a caller repeats. Thread-safe. */
interface BenchmarkWorkload extends AutoCloseable {

    String name();

    /** Makes one call and returns when it is answered. */
    void callOnce() throws Exception;

    /** Starts work that runs beside the callers while this side is measured. */
    default AutoCloseable backgroundWork() throws Exception {
        return () -> {};
    }

    /** Marks the end of the warm-up, whose counts are dropped. */
    default void warm() {}

    @Override
    default void close() throws Exception {}
}
