package dev.refrain.store.contract;

import dev.refrain.api.KeyHash;
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

/** The suite keeps within what a store says it takes: one that refuses larger batches and payloads, and unsorted batches, passes. */
class BoundedStoreTest extends StoreContract
        implements CompletionContract, ErasureContract, AuditTrailContract, CountsContract, KeptRequestContract {

    private static final StoreLimits LIMITS = new StoreLimits(3, 1, 64 << 10);

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
            requireFewAndSorted(requests.stream().map(ClaimRequest::lookup).toList());
            return super.claim(requests);
        }

        @Override
        public List<RecordWriteResponse> write(List<? extends RecordWrite> writes) {
            requireFewAndSorted(
                    writes.stream().map(write -> write.claim().lookup()).toList());
            return super.write(writes);
        }

        @Override
        public List<Optional<StoredRecord>> find(List<ScopedKey> identities) {
            requireFewAndSorted(identities.stream().map(ScopedKey::hash).toList());
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

        private static void requireFewAndSorted(List<KeyHash> batch) {
            if (batch.size() > LIMITS.batchRows()) {
                throw StoreException.permanent("The batch has " + batch.size() + " rows.", Effect.NONE, null);
            }
            for (int i = 1; i < batch.size(); i++) {
                if (batch.get(i - 1).compareTo(batch.get(i)) >= 0) {
                    throw StoreException.permanent("The batch is not sorted.", Effect.NONE, null);
                }
            }
        }
    }
}
