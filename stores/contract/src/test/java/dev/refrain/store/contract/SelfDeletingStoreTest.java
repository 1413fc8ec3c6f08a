package dev.refrain.store.contract;

import dev.refrain.store.Store;
import dev.refrain.store.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;

/** The suite is passed by a store whose database deletes what expired by itself, so that nothing is left to reap. */
class SelfDeletingStoreTest extends StoreContract
        implements CompletionContract, ErasureContract, AuditTrailContract, CountsContract, KeptRequestContract {

    @Override
    protected StoreHarness newHarness() {
        return new SelfDeletingHarness();
    }

    private static final class SelfDeletingHarness implements StoreHarness {

        private Instant now = Instant.parse("2026-01-01T00:00:00Z");
        private final Store store = new MemoryStore(() -> now);

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
            store.reap(Integer.MAX_VALUE);
        }

        @Override
        public boolean deletesExpiredItself() {
            return true;
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
