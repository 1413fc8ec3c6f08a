package dev.refrain.store.contract;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Payload;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.RecordWrite;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;

/** What the tests ask with. Times are far longer than a test takes, so that real clocks may run on while it does. */
final class StoreTestData {

    static final Duration LEASE = Duration.ofMinutes(10);
    static final Duration RETENTION = Duration.ofHours(24);

    /** More than any test's own running time, less than anything it measures. */
    static final Duration SLACK = Duration.ofMinutes(1);

    static final String SCOPE = "tenant-1";
    static final String NAMESPACE = "payments.create";

    /** Two scopes whose records lie in the same range of lookups. */
    static final List<String> NEIGHBOURS = List.of("tenant-39588", "tenant-67738");

    private StoreTestData() {}

    static ScopedKey identity(String key) {
        return new ScopedKey(SCOPE, NAMESPACE, key);
    }

    /** A wish that may be taken over. */
    static ClaimRequest resumableRequest(String key) {
        return request(identity(key), LeaseExpiryPolicy.RESUME, Retention.of(RETENTION));
    }

    /** A wish that must not be taken over. */
    static ClaimRequest heldRequest(String key) {
        return request(identity(key), LeaseExpiryPolicy.HOLD, Retention.of(RETENTION));
    }

    static ClaimRequest requestWithRetention(Retention retention, String key) {
        return request(identity(key), LeaseExpiryPolicy.RESUME, retention);
    }

    static ClaimRequest request(ScopedKey identity, LeaseExpiryPolicy takeOver, Retention retention) {
        return ClaimRequest.of(identity, fingerprint("the request"), UUID.randomUUID(), LEASE, takeOver, retention);
    }

    /** The same request from someone else. */
    static ClaimRequest retryOf(ClaimRequest request) {
        return request.withNonce(UUID.randomUUID());
    }

    /** Another request under the same key. */
    static ClaimRequest conflictingRequest(ClaimRequest request) {
        return retryOf(request).withFingerprint(fingerprint("another request"));
    }

    static ClaimRequest withLease(Duration lease, ClaimRequest request) {
        return new ClaimRequest(
                request.identity(),
                request.lookup(),
                request.fingerprint(),
                request.nonce(),
                lease,
                request.leaseExpiryPolicy(),
                request.retention(),
                request.subject(),
                request.request());
    }

    /** The wishes in the order in which a store is asked. */
    static List<ClaimRequest> batch(int size, Function<Integer, ClaimRequest> wish) {
        return sorted(IntStream.range(0, size).boxed().map(wish).toList());
    }

    static List<ClaimRequest> sorted(List<ClaimRequest> wishes) {
        return wishes.stream()
                .sorted(Comparator.comparing(ClaimRequest::lookup))
                .toList();
    }

    static RecordWrite.Complete complete(ClaimRef claim, String outcome) {
        return new RecordWrite.Complete(claim, Optional.of(payload(outcome)), Optional.empty());
    }

    static RecordWrite.Checkpoint checkpoint(ClaimRef claim, String point, String carried) {
        return new RecordWrite.Checkpoint(claim, point, Optional.of(payload(carried)), Optional.of(LEASE));
    }

    static Payload payload(String text) {
        return Payload.of(text.getBytes(StandardCharsets.UTF_8));
    }

    static Fingerprint fingerprint(String of) {
        return fingerprint("1/contract", of);
    }

    static Fingerprint fingerprint(String recipe, String of) {
        try {
            var sha = MessageDigest.getInstance("SHA-256");
            return Fingerprint.stored(recipe, sha.digest(of.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform must offer SHA-256", e);
        }
    }
}
