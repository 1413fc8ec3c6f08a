package dev.refrain.store.contract;

import dev.refrain.store.Store;
import dev.refrain.store.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;

class MemoryStoreTest extends StoreContract
        implements CompletionContract, ErasureContract, AuditTrailContract, CountsContract, KeptRequestContract {

    @Override
    protected StoreHarness newHarness() {
        return new StoreHarness() {
            private Instant now = Instant.parse("2026-01-01T00:00:00Z");
            private final Store store = new MemoryStore(() -> now);

            @Override
            public Store open() {
                return store;
            }

            @Override
            public Store openSecond() {
                return store; // its data lives in this process alone
            }

            @Override
            public void advanceTime(Duration time) {
                now = now.plus(time);
            }

            @Override
            public void close() {
                store.close();
            }
        };
    }
}
