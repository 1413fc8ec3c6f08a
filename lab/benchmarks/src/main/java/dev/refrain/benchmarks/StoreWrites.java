package dev.refrain.benchmarks;

import java.util.List;

/** One side of {@link StoreBenchmark}: what a call needs of a store, for a batch of keys. Used by one thread. */
interface StoreWrites extends AutoCloseable {

    /** Claims new keys. */
    void claim(List<String> keys);

    /** Completes what was claimed with an answer each. */
    void complete(List<String> keys);

    /** Reads the answers again, as a retry of each call does. */
    void replay(List<String> keys);

    @Override
    void close();
}
