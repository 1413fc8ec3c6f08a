package dev.refrain.internal.claim;

import dev.refrain.api.KeyHash;
import dev.refrain.api.Payload;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.ClaimOrigin;
import dev.refrain.store.Fingerprint;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Call of an operation before its claim: identity, fingerprint and request data.
 *
 * @param lazyFingerprint the request's fingerprint, computed when it is needed
 * @param subject the person it is about, for erasure
 * @param stored the data a completer would need to run it without the client
 * @param kept supplies the request that is kept for people, when the key is claimed
 * @param origin where the call comes from, for people
 */
public record FingerprintedCall(
        ScopedKey identity,
        KeyHash lookup,
        LazyFingerprint lazyFingerprint,
        Optional<String> subject,
        Optional<Payload> stored,
        Supplier<Optional<Payload>> kept,
        ClaimOrigin origin) {

    public static FingerprintedCall of(ScopedKey identity, LazyFingerprint fingerprint) {
        return new FingerprintedCall(
                identity,
                identity.hash(),
                fingerprint,
                Optional.empty(),
                Optional.empty(),
                Optional::empty,
                ClaimOrigin.UNKNOWN);
    }

    /** Creates the call for an existing record, by a caller without a request that wants only that record. */
    public static FingerprintedCall ofRecord(ScopedKey identity, Fingerprint fingerprint) {
        return of(identity, LazyFingerprint.known(fingerprint));
    }

    public FingerprintedCall withSubject(String person) {
        return new FingerprintedCall(identity, lookup, lazyFingerprint, Optional.of(person), stored, kept, origin);
    }

    /** Returns this call with the data for a completer; nothing else is kept of its request. */
    public FingerprintedCall withStoredRequest(Payload toStore) {
        return new FingerprintedCall(
                identity, lookup, lazyFingerprint, subject, Optional.of(toStore), Optional::empty, origin);
    }

    public FingerprintedCall withKeptRequest(Supplier<Optional<Payload>> toKeep) {
        return new FingerprintedCall(identity, lookup, lazyFingerprint, subject, stored, toKeep, origin);
    }

    public FingerprintedCall withOrigin(ClaimOrigin from) {
        return new FingerprintedCall(identity, lookup, lazyFingerprint, subject, stored, kept, from);
    }

    /** Computes the fingerprint now, so that no connection is held meanwhile. */
    public FingerprintedCall computed() {
        var unused = fingerprint();
        return this;
    }

    public Fingerprint fingerprint() {
        return lazyFingerprint.get();
    }

    /** Returns true if this is the request that created the record, compared by the record's recipe. */
    boolean matches(Fingerprint recorded) {
        return fingerprintByRecipeOf(recorded).matches(recorded);
    }

    /** Returns this request's fingerprint by the recipe of the recorded one. */
    Fingerprint fingerprintByRecipeOf(Fingerprint recorded) {
        return lazyFingerprint.byRecipe(recorded.recipe());
    }
}
