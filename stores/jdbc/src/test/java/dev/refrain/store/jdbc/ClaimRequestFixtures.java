package dev.refrain.store.jdbc;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Payload;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Store;
import dev.refrain.store.StoredRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;

/** What the tests of this module ask with. */
final class ClaimRequestFixtures {

    private ClaimRequestFixtures() {}

    static ClaimRequest claimRequest(String key) {
        return claimRequest(key, LeaseExpiryPolicy.RESUME, Duration.ofMinutes(10));
    }

    static ClaimRequest claimRequest(String key, LeaseExpiryPolicy takeOver, Duration lease) {
        return claimRequestOf("tenant", key, takeOver, lease);
    }

    static ClaimRequest claimRequestOf(String scope, String key) {
        return claimRequestOf(scope, key, LeaseExpiryPolicy.RESUME, Duration.ofMinutes(10));
    }

    private static ClaimRequest claimRequestOf(String scope, String key, LeaseExpiryPolicy takeOver, Duration lease) {
        return ClaimRequest.of(
                new ScopedKey(scope, "payments.create", key),
                Fingerprint.stored("1/test", new byte[Fingerprint.DIGEST_BYTES]),
                UUID.randomUUID(),
                lease,
                takeOver,
                Retention.of(Duration.ofHours(24)));
    }

    /** The same request from someone else. */
    static ClaimRequest retryOf(ClaimRequest wish) {
        return wish.withNonce(UUID.randomUUID());
    }

    static ClaimRequest conflictingRequest(ClaimRequest wish) {
        byte[] other = new byte[Fingerprint.DIGEST_BYTES];
        other[0] = 1;
        return retryOf(wish).withFingerprint(Fingerprint.stored("1/test", other));
    }

    static List<ClaimRequest> claimRequests(String prefix, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> claimRequest(prefix + i))
                .sorted(Comparator.comparing(ClaimRequest::lookup))
                .toList();
    }

    static ClaimResponse claim(Store store, ClaimRequest wish) {
        return store.claim(List.of(wish)).getFirst();
    }

    static StoredRecord acquired(Store store, ClaimRequest wish) {
        return record(claim(store, wish), true);
    }

    static StoredRecord found(Store store, ClaimRequest wish) {
        return record(claim(store, wish), false);
    }

    static StoredRecord record(ClaimResponse answer, boolean acquired) {
        if (acquired && answer instanceof ClaimResponse.Acquired taken) {
            return taken.record();
        }
        if (!acquired && answer instanceof ClaimResponse.Found there) {
            return there.record();
        }
        throw new AssertionError(answer.toString());
    }

    static RecordWrite.Complete complete(ClaimRef claim, String outcome) {
        return new RecordWrite.Complete(claim, Optional.of(payload(outcome)), Optional.empty());
    }

    static Payload payload(String text) {
        return Payload.of(text.getBytes(StandardCharsets.UTF_8));
    }
}
