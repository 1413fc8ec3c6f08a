package dev.refrain.store.contract;

import dev.refrain.api.Payload;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreLimits;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.StoredRecord;
import java.util.List;
import java.util.Optional;

/** The suite keeps within what a store says it takes: one that refuses larger batches and payloads passes. */
class BoundedStoreTest extends StoreContract
        implements CompletionContract, ErasureContract, AuditTrailContract, CountsContract, KeptRequestContract {

    private static final StoreLimits LIMITS = new StoreLimits(50, 1, 128 << 10);

    @Override
    protected StoreHarness newHarness() {
        return new MemoryStoreHarness(BoundedStore::new);
    }

    private static final class BoundedStore extends FlawedStore {

        BoundedStore(Store sound) {
            super(sound);
        }

        @Override
        public StoreTraits traits() {
            return super.traits().withLimits(LIMITS);
        }

        @Override
        public List<ClaimResponse> claim(List<ClaimRequest> requests) {
            requireFewEnough(requests);
            return super.claim(requests);
        }

        @Override
        public List<RecordWriteResponse> write(List<? extends RecordWrite> writes) {
            requireFewEnough(writes);
            return super.write(writes);
        }

        @Override
        public List<Optional<StoredRecord>> find(List<ScopedKey> identities) {
            requireFewEnough(identities);
            return super.find(identities);
        }

        @Override
        ClaimResponse claimOne(ClaimRequest request) {
            return isTooLarge(request.request())
                    ? new ClaimResponse.Failed(RowRejectedException.badData("The request is too large.", null))
                    : super.claimOne(request);
        }

        @Override
        RecordWriteResponse writeOne(RecordWrite write) {
            var payload = switch (write) {
                case RecordWrite.Complete complete -> complete.outcome();
                case RecordWrite.Checkpoint checkpoint -> checkpoint.carried();
                default -> Optional.<Payload>empty();
            };
            return isTooLarge(payload)
                    ? new RecordWriteResponse.Failed(RowRejectedException.badData("The payload is too large.", null))
                    : super.writeOne(write);
        }

        private static boolean isTooLarge(Optional<Payload> payload) {
            return payload.filter(p -> p.size() > LIMITS.payloadBytes()).isPresent();
        }

        private static void requireFewEnough(List<?> batch) {
            if (batch.size() > LIMITS.batchRows()) {
                throw StoreException.permanent("The batch has " + batch.size() + " rows.", Effect.NONE, null);
            }
        }
    }
}
