package dev.refrain.claim;

import dev.refrain.fingerprint.Fingerprint;
import dev.refrain.fingerprint.Fingerprinter;
import dev.refrain.fingerprint.Request;
import dev.refrain.key.Identity;
import dev.refrain.key.Lookup;
import dev.refrain.outcome.Payload;
import java.util.Optional;
import java.util.function.Function;

/**
 * One call of an operation, before it is known whether it may run: who asks for what under which key.
 *
 * @param fingerprintByRecipe the same request's fingerprint, made another way
 * @param subject the person it is about, for erasure
 * @param stored what a completer would need to run it without the client
 */
public record Ask(
        Identity identity,
        Lookup lookup,
        Fingerprint fingerprint,
        Function<String, Fingerprint> fingerprintByRecipe,
        Optional<String> subject,
        Optional<Payload> stored) {

    public static Ask of(Identity identity, Request request, Fingerprinter fingerprinter) {
        return new Ask(
                identity,
                identity.hash(),
                fingerprinter.of(request),
                recipe -> fingerprinter.of(request, recipe),
                Optional.empty(),
                Optional.empty());
    }

    /** For what is recorded already: who asks has no request, and wants nothing but that record. */
    public static Ask ofRecord(Identity identity, Fingerprint fingerprint) {
        return new Ask(
                identity,
                identity.hash(),
                fingerprint,
                otherRecipe -> fingerprint,
                Optional.empty(),
                Optional.empty());
    }

    public Ask withSubject(String person) {
        return new Ask(identity, lookup, fingerprint, fingerprintByRecipe, Optional.of(person), stored);
    }

    public Ask withStoredRequest(Payload toStore) {
        return new Ask(identity, lookup, fingerprint, fingerprintByRecipe, subject, Optional.of(toStore));
    }

    /** Whether this is the request that made the record; compared the way the record's fingerprint was made. */
    boolean matches(Fingerprint recorded) {
        return fingerprintByRecipeOf(recorded).matches(recorded);
    }

    /** This request's fingerprint, made the way the recorded one was. */
    Fingerprint fingerprintByRecipeOf(Fingerprint recorded) {
        return recorded.recipe().equals(fingerprint.recipe()) ? fingerprint : fingerprintByRecipe.apply(recorded.recipe());
    }
}
