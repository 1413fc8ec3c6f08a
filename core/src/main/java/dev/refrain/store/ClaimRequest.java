package dev.refrain.store;

import dev.refrain.api.KeyHash;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Payload;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Request to claim a record. Immutable.
 *
 * @param lookup hash under which the identity's record is found; always {@code identity.hash()}, computed once
 * @param nonce new for each claim; repeating a claim with the same nonce after a lost reply finds that claim. A new record takes
 *     it as its id.
 * @param lease how long the claim is held by the store's clock
 * @param leaseExpiryPolicy handling of the claim when its lease expires
 * @param retention how long the record lives, counted from its first claim
 * @param subject the person the record is about, for erasure
 * @param request the data a completer needs to run the operation without the client; only flows store it
 * @param keptRequest the request as it was received, for people; kept where the store has the ability {@link KeptRequestReader}, and
 *     only until the record is settled. Never together with {@code request}, which says the same
 * @param origin where the claim comes from, for people. A record keeps the origin of its first claim; a later claim adds an attempt
 */
public record ClaimRequest(
        ScopedKey identity,
        KeyHash lookup,
        Fingerprint fingerprint,
        UUID nonce,
        Duration lease,
        LeaseExpiryPolicy leaseExpiryPolicy,
        Retention retention,
        Optional<String> subject,
        Optional<Payload> request,
        Optional<Payload> keptRequest,
        ClaimOrigin origin) {

    public ClaimRequest {
        if (request.isPresent() && keptRequest.isPresent()) {
            throw new IllegalArgumentException(
                    "A claim stores a request for its completer or keeps one for people, not both. Leave one out.");
        }
    }

    public static ClaimRequest of(
            ScopedKey identity,
            Fingerprint fingerprint,
            UUID nonce,
            Duration lease,
            LeaseExpiryPolicy takeOver,
            Retention retention) {
        return new ClaimRequest(
                identity,
                identity.hash(),
                fingerprint,
                nonce,
                lease,
                takeOver,
                retention,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                ClaimOrigin.UNKNOWN);
    }

    public ClaimRequest withSubject(@Nullable String person) {
        return new ClaimRequest(
                identity,
                lookup,
                fingerprint,
                nonce,
                lease,
                leaseExpiryPolicy,
                retention,
                Optional.ofNullable(person),
                request,
                keptRequest,
                origin);
    }

    public ClaimRequest withStoredRequest(@Nullable Payload toStore) {
        return new ClaimRequest(
                identity,
                lookup,
                fingerprint,
                nonce,
                lease,
                leaseExpiryPolicy,
                retention,
                subject,
                Optional.ofNullable(toStore),
                keptRequest,
                origin);
    }

    public ClaimRequest withKeptRequest(@Nullable Payload toKeep) {
        return new ClaimRequest(
                identity,
                lookup,
                fingerprint,
                nonce,
                lease,
                leaseExpiryPolicy,
                retention,
                subject,
                request,
                Optional.ofNullable(toKeep),
                origin);
    }

    public ClaimRequest withOrigin(ClaimOrigin other) {
        return new ClaimRequest(
                identity,
                lookup,
                fingerprint,
                nonce,
                lease,
                leaseExpiryPolicy,
                retention,
                subject,
                request,
                keptRequest,
                other);
    }

    /** The same wish for a record that is kept for another time. */
    public ClaimRequest withRetention(Retention other) {
        return new ClaimRequest(
                identity,
                lookup,
                fingerprint,
                nonce,
                lease,
                leaseExpiryPolicy,
                other,
                subject,
                request,
                keptRequest,
                origin);
    }

    /** Returns this request with another fingerprint. */
    public ClaimRequest withFingerprint(Fingerprint other) {
        return new ClaimRequest(
                identity,
                lookup,
                other,
                nonce,
                lease,
                leaseExpiryPolicy,
                retention,
                subject,
                request,
                keptRequest,
                origin);
    }

    /** Returns this request as a new claim. */
    public ClaimRequest withNonce(UUID newNonce) {
        return new ClaimRequest(
                identity,
                lookup,
                fingerprint,
                newNonce,
                lease,
                leaseExpiryPolicy,
                retention,
                subject,
                request,
                keptRequest,
                origin);
    }
}
