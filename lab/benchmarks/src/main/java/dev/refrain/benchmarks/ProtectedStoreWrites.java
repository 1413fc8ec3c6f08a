package dev.refrain.benchmarks;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Payload;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Store;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The store itself. */
final class ProtectedStoreWrites implements StoreWrites {

    private static final Fingerprint FINGERPRINT = new Fingerprint("1/bench", new byte[Fingerprint.DIGEST_BYTES]);
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration KEPT = Duration.ofHours(24);

    private final Store store;
    private final Payload answer;
    private final Map<String, ClaimRef> claims = new HashMap<>();

    ProtectedStoreWrites(Store store, byte[] answer) {
        this.store = store;
        this.answer = Payload.of(answer);
    }

    private List<ClaimRequest> requests(List<String> keys) {
        return keys.stream()
                .map(key -> ClaimRequest.of(
                        new ScopedKey("bench", "payments", key),
                        FINGERPRINT,
                        UUID.randomUUID(),
                        LEASE,
                        LeaseExpiryPolicy.HOLD,
                        Retention.of(KEPT)))
                .sorted(Comparator.comparing(ClaimRequest::lookup))
                .toList();
    }

    @Override
    public void claim(List<String> keys) {
        var requests = requests(keys);
        var responses = store.claim(requests);
        for (int i = 0; i < requests.size(); i++) {
            if (!(responses.get(i) instanceof ClaimResponse.Acquired acquired)) {
                throw new MeasurementFailedException("A new key was answered " + responses.get(i));
            }
            claims.put(requests.get(i).identity().key(), acquired.record().claim());
        }
    }

    @Override
    public void complete(List<String> keys) {
        var written = store.write(keys.stream()
                .map(claims::remove)
                .sorted(Comparator.comparing(ClaimRef::lookup))
                .map(claim -> new RecordWrite.Complete(claim, Optional.of(answer), Optional.empty()))
                .toList());
        if (!written.stream().allMatch(RecordWriteResponse.Written.class::isInstance)) {
            throw new MeasurementFailedException("A claim was not completed: " + written);
        }
    }

    @Override
    public void replay(List<String> keys) {
        if (!store.claim(requests(keys)).stream().allMatch(ClaimResponse.Found.class::isInstance)) {
            throw new MeasurementFailedException("A completed key was not replayed.");
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
