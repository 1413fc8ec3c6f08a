package dev.refrain.store.contract;

import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** The suite is passed by a store that answers elements which meet others as throttled, each by itself. */
class ContendedStoreTest extends StoreContract
        implements CompletionContract, ErasureContract, AuditTrailContract, CountsContract, KeptRequestContract {

    @Override
    protected StoreHarness newHarness() {
        return new MemoryStoreHarness(ContendedStore::new);
    }

    private static final class ContendedStore extends FlawedStore {

        private static final Duration HELD = Duration.ofNanos(200_000);

        private final ReentrantLock capacity = new ReentrantLock();

        ContendedStore(Store sound) {
            super(sound);
        }

        @Override
        ClaimResponse claimOne(ClaimRequest request) {
            if (!capacity.tryLock()) {
                return new ClaimResponse.Failed(throttled());
            }
            try {
                LockSupport.parkNanos(HELD.toNanos());
                return super.claimOne(request);
            } finally {
                capacity.unlock();
            }
        }

        @Override
        RecordWriteResponse writeOne(RecordWrite write) {
            if (!capacity.tryLock()) {
                return new RecordWriteResponse.Failed(throttled());
            }
            try {
                LockSupport.parkNanos(HELD.toNanos());
                return super.writeOne(write);
            } finally {
                capacity.unlock();
            }
        }

        private static StoreException throttled() {
            return StoreException.unavailable("This element is throttled; ask again.", Effect.NONE, null);
        }
    }
}
