package dev.refrain.store.dynamodb;

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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Requests of the tests, and single calls. */
final class SampleClaims {

    private SampleClaims() {}

    static ScopedKey identity(String key) {
        return new ScopedKey("tenant-1", "payments", key);
    }

    static ClaimRequest request(String key) {
        return request(key, Duration.ofMinutes(10));
    }

    static ClaimRequest request(String key, Duration lease) {
        return ClaimRequest.of(
                identity(key),
                new Fingerprint("1/test", new byte[Fingerprint.DIGEST_BYTES]),
                UUID.randomUUID(),
                lease,
                LeaseExpiryPolicy.HOLD,
                Retention.of(Duration.ofHours(24)));
    }

    static Payload payload(String text) {
        return Payload.of(text.getBytes(StandardCharsets.UTF_8));
    }

    static ClaimResponse claim(Store store, ClaimRequest request) {
        return store.claim(List.of(request)).getFirst();
    }

    static ClaimRef acquire(Store store, String key) {
        return ((ClaimResponse.Acquired) claim(store, request(key))).record().claim();
    }

    static RecordWriteResponse complete(Store store, ClaimRef claim, String outcome) {
        return store.write(List.of(new RecordWrite.Complete(claim, Optional.of(payload(outcome)), Optional.empty())))
                .getFirst();
    }
}
