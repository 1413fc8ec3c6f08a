package dev.refrain.benchmarks;
/** One of two ways that are compared: what a caller does over and over. Safe for use by many callers at once. */
interface BenchmarkWorkload extends AutoCloseable {

    String name();

    /** One call, from the request to its answer. */
    void callOnce() throws Exception;

    /** What goes on beside the callers while this side is measured. */
    default AutoCloseable backgroundWork() throws Exception {
        return () -> {};
    }

    /** From here on it is measured; what was counted so far was warming up. */
    default void warm() {}

    @Override
    default void close() throws Exception {}
}
