package dev.refrain.internal.claim;

import dev.refrain.api.KeyHash;
import dev.refrain.api.Payload;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.Fingerprint;
import java.util.Optional;
import java.util.function.Function;

/**
 * One call of an operation, before it is known whether it may run: who asks for what under which key.
 *
 * @param fingerprintByRecipe the same request's fingerprint, made another way
 * @param subject the person it is about, for erasure
 * @param stored what a completer would need to run it without the client
 */
public record FingerprintedCall(
        ScopedKey identity,
        KeyHash lookup,
        Fingerprint fingerprint,
        Function<String, Fingerprint> fingerprintByRecipe,
        Optional<String> subject,
        Optional<Payload> stored) {

    public static FingerprintedCall of(
            ScopedKey identity, Fingerprint fingerprint, Function<String, Fingerprint> fingerprintByRecipe) {
        return new FingerprintedCall(
                identity, identity.hash(), fingerprint, fingerprintByRecipe, Optional.empty(), Optional.empty());
    }

    /** For a record that exists: whoever asks has no request, and wants nothing but that record. */
    public static FingerprintedCall ofRecord(ScopedKey identity, Fingerprint fingerprint) {
        return of(identity, fingerprint, otherRecipe -> fingerprint);
    }

    public FingerprintedCall withSubject(String person) {
        return new FingerprintedCall(identity, lookup, fingerprint, fingerprintByRecipe, Optional.of(person), stored);
    }

    public FingerprintedCall withStoredRequest(Payload toStore) {
        return new FingerprintedCall(identity, lookup, fingerprint, fingerprintByRecipe, subject, Optional.of(toStore));
    }

    /** Whether this is the request that made the record; compared the way the record's fingerprint was made. */
    boolean matches(Fingerprint recorded) {
        return fingerprintByRecipeOf(recorded).matches(recorded);
    }

    /** This request's fingerprint, made the way the recorded one was. */
    Fingerprint fingerprintByRecipeOf(Fingerprint recorded) {
        return recorded.recipe().equals(fingerprint.recipe())
                ? fingerprint
                : fingerprintByRecipe.apply(recorded.recipe());
    }
}
