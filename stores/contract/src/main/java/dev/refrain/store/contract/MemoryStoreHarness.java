package dev.refrain.store.contract;

import dev.refrain.store.Store;
import dev.refrain.store.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;

/** Harness of the memory store, bare or inside a decorator. Not thread-safe. */
public final class MemoryStoreHarness implements StoreHarness {

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final Store store;

    /**
     * Creates the harness.
     *
     * @param around returns the store under test: the memory store itself, or a decorator around it
     */
    public MemoryStoreHarness(UnaryOperator<Store> around) {
        store = around.apply(new MemoryStore(() -> now));
    }

    @Override
    public Store open() {
        return store;
    }

    @Override
    public Store openSecond() {
        return store;
    }

    @Override
    public void advanceTime(Duration time) {
        now = now.plus(time);
    }

    @Override
    public void close() {
        store.close();
    }
}
