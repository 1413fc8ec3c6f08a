package dev.refrain.store;

import dev.refrain.api.KeyHash;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Payload;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * One wish to run.
 *
 * @param lookup where the identity's record is found; always {@code identity.lookup()}, computed once
 * @param nonce made new for each claim by its owner; asking again under the same nonce after a lost reply finds one's own
 *     claim. A record that does not exist yet takes it as its id.
 * @param lease how long the claim holds on the store's clock
 * @param leaseExpiryPolicy what becomes of the claim when the lease is over
 * @param retention how long the record lives, counted from its first claim
 * @param subject the person the record is about, for erasure
 * @param request what a completer needs to run the operation without the client; only flows store it
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
        Optional<Payload> request) {

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
                Optional.empty());
    }

    public ClaimRequest withSubject(Optional<String> person) {
        return new ClaimRequest(
                identity, lookup, fingerprint, nonce, lease, leaseExpiryPolicy, retention, person, request);
    }

    public ClaimRequest withStoredRequest(Optional<Payload> toStore) {
        return new ClaimRequest(
                identity, lookup, fingerprint, nonce, lease, leaseExpiryPolicy, retention, subject, toStore);
    }

    /** The same wish with a fingerprint made another way. */
    public ClaimRequest withFingerprint(Fingerprint other) {
        return new ClaimRequest(identity, lookup, other, nonce, lease, leaseExpiryPolicy, retention, subject, request);
    }

    /** The same wish as a new claim. */
    public ClaimRequest withNonce(UUID newNonce) {
        return new ClaimRequest(
                identity, lookup, fingerprint, newNonce, lease, leaseExpiryPolicy, retention, subject, request);
    }
}
