package dev.refrain.store.contract;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Payload;
import dev.refrain.api.RecoveryPoint;
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

/** Requests and values of the tests. Durations are far longer than a test takes, so that real clocks may run on meanwhile. */
final class StoreTestData {

    static final Duration LEASE = Duration.ofMinutes(10);
    static final Duration RETENTION = Duration.ofHours(24);

    /** Tolerance: longer than any test runs, shorter than any duration it measures. */
    static final Duration SLACK = Duration.ofMinutes(1);

    static final String SCOPE = "tenant-1";
    static final String NAMESPACE = "payments.create";

    /** Two scopes whose records are in the same range of lookups. */
    static final List<String> NEIGHBOURS = List.of("tenant-39588", "tenant-67738");

    private StoreTestData() {}

    /** The most that may be said to be left of a time: stores round up, to whole seconds at the most, so as never to end it early. */
    static Duration roundedUp(Duration exact) {
        return exact.plusSeconds(1);
    }

    static ScopedKey identity(String key) {
        return new ScopedKey(SCOPE, NAMESPACE, key);
    }

    /** Creates a request whose claim may be taken over. */
    static ClaimRequest resumableRequest(String key) {
        return request(identity(key), LeaseExpiryPolicy.RESUME, Retention.of(RETENTION));
    }

    /** Creates a request whose claim must not be taken over. */
    static ClaimRequest heldRequest(String key) {
        return request(identity(key), LeaseExpiryPolicy.HOLD, Retention.of(RETENTION));
    }

    static ClaimRequest requestWithRetention(Retention retention, String key) {
        return request(identity(key), LeaseExpiryPolicy.RESUME, retention);
    }

    static ClaimRequest request(ScopedKey identity, LeaseExpiryPolicy takeOver, Retention retention) {
        return ClaimRequest.of(identity, fingerprint("the request"), UUID.randomUUID(), LEASE, takeOver, retention);
    }

    /** Returns the same request from another caller. */
    static ClaimRequest retryOf(ClaimRequest request) {
        return request.withNonce(UUID.randomUUID());
    }

    /** Returns a different request under the same key. */
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
                request.request(),
                request.keptRequest(),
                request.origin());
    }

    /** Returns requests in the order in which stores expect them. */
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
        return new RecordWrite.Checkpoint(
                claim, RecoveryPoint.reached(point), Optional.of(payload(carried)), Optional.of(LEASE));
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
