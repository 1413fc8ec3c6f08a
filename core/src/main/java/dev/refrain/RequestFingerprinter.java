package dev.refrain;

import dev.refrain.api.BodyAlreadyReadException;
import dev.refrain.api.RequestContent;
import dev.refrain.api.UnknownFingerprintRecipeException;
import dev.refrain.internal.fingerprint.FieldSelection;
import dev.refrain.internal.fingerprint.FingerprintRecipe;
import dev.refrain.internal.fingerprint.JsonPointer;
import dev.refrain.internal.fingerprint.LengthPrefixedDigest;
import dev.refrain.internal.fingerprint.RequestBodyDigest;
import dev.refrain.store.Fingerprint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.Key;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Computes fingerprints: for a new record by the configured recipe, for a comparison by the recipe of the record.
 * {@snippet :
 * RequestFingerprinter fingerprinter = RequestFingerprinter.builder()
 *         .secret("2026-01", secretOfThisYear)
 *         .previousSecret("2025-01", secretOfLastYear)
 *         .ignoredFields("/requestedAt", "/meta/trace")
 *         .build();
 *
 * Fingerprint fingerprint = fingerprinter.of(request);
 * }
 *
 * <p>Without a secret, anyone who can read the store can test guesses of a request against its digest. To rotate a secret,
 * configure the old one with {@code previousSecret} and remove it once the records made with it have expired. A change of fields
 * or limits needs no such step: the recipe is stored with each record.
 *
 * <p>Immutable and thread-safe. Any bytes have a fingerprint; only a body that cannot be read to its end has none ({@link
 * UncheckedIOException}, {@link BodyAlreadyReadException}).
 */
public final class RequestFingerprinter {

    private final FingerprintRecipe current;
    private final Map<String, Key> secrets;

    private RequestFingerprinter(FingerprintRecipe current, Map<String, Key> secrets) {
        this.current = current;
        this.secrets = secrets;
    }

    /** Returns a fingerprinter with plain SHA-256 over all fields. */
    public static RequestFingerprinter unkeyed() {
        return builder().build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Computes the fingerprint of a new record. */
    public Fingerprint of(RequestContent request) {
        return make(request, current);
    }

    /**
     * Computes the fingerprint to compare with that of a record.
     *
     * @param recordedRecipe the {@link Fingerprint#recipe()} of the record
     * @throws UnknownFingerprintRecipeException if the record was made by a later version, or with a secret that is not
     *     configured here
     */
    public Fingerprint of(RequestContent request, String recordedRecipe) {
        return make(request, recordedRecipe.equals(current.text()) ? current : followed(recordedRecipe));
    }

    private FingerprintRecipe followed(String recorded) {
        return FingerprintRecipe.parse(recorded)
                .orElseThrow(() -> new UnknownFingerprintRecipeException(
                        recorded,
                        "it is not one of encoding version " + FingerprintRecipe.VERSION,
                        known(),
                        "Upgrade this instance to the version that made the record before it serves requests."));
    }

    private Key plain(String id, FingerprintRecipe recipe) {
        Key secret = secrets.get(id);
        if (secret == null) {
            throw new UnknownFingerprintRecipeException(
                    recipe.text(),
                    "the secret '" + id + "' is not configured",
                    known(),
                    "Configure it with previousSecret(\"" + id + "\", …) until the records made with it have expired.");
        }
        return secret;
    }

    private String known() {
        return "encoding version " + FingerprintRecipe.VERSION + ", secrets " + secrets.keySet();
    }

    private Fingerprint make(RequestContent request, FingerprintRecipe recipe) {
        LengthPrefixedDigest digest = recipe.secretId()
                .map(id -> LengthPrefixedDigest.hmacSha256(plain(id, recipe)))
                .orElseGet(LengthPrefixedDigest::sha256);
        digest.text("refrain/fingerprint/" + FingerprintRecipe.VERSION)
                .text(request.method())
                .text(request.path())
                .text(request.query());
        try {
            RequestBodyDigest.of(request, recipe).writeTo(digest);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot fingerprint " + request + ": reading its body failed.", e);
        }
        return new Fingerprint(recipe.text(), digest.finish());
    }

    /** Returns the recipe, never a secret. */
    @Override
    public String toString() {
        return "Fingerprinter[" + current + "]";
    }

    /** Builder of a fingerprinter; each option may be set once. Not thread-safe. */
    public static final class Builder {

        /** Minimum length: half of what HMAC-SHA-256 can use. Shorter secrets are like passwords and can be guessed. */
        private static final int LEAST_SECRET_BYTES = 16;

        private final Map<String, Key> secrets = new TreeMap<>();
        private @Nullable String currentSecret;
        private @Nullable FieldSelection selection;
        private @Nullable Integer maxCanonicalBytes;

        private Builder() {}

        /**
         * Makes new records with HMAC under this secret. By default there is none.
         *
         * @param keyId stored with each record: 1 to 64 of {@code A-Z a-z 0-9 . _ -}
         * @param secret at least 16 random bytes, the same on all instances; copied
         */
        public Builder secret(String keyId, byte[] secret) {
            refuseIf(currentSecret != null, "secret");
            addSecret(keyId, secret);
            currentSecret = keyId;
            return this;
        }

        /** Accepts records made with this secret for comparison. Call it once per such secret. */
        public Builder previousSecret(String keyId, byte[] secret) {
            addSecret(keyId, secret);
            return this;
        }

        /**
         * Ignores these fields, for values that a client sets anew on each attempt. JSON pointers, which name an array element by
         * its index and have no wildcard; in forms and multipart {@code /name} is the field of that name. Cannot be combined with
         * {@link #includeOnly}.
         *
         * <p>A body that has to be compared by its bytes is compared as a whole.
         */
        public Builder ignoredFields(String... jsonPointers) {
            refuseIf(selection != null, "ignoredFields or includeOnly");
            selection = FieldSelection.Excluding.of(pointers("ignoredFields", jsonPointers));
            return this;
        }

        /**
         * Compares only these fields, by value or by absence. Named as for {@link #ignoredFields}; cannot be combined with it.
         *
         * <p>A body that has none of them is compared by its bytes.
         */
        public Builder includeOnly(String... jsonPointers) {
            refuseIf(selection != null, "ignoredFields or includeOnly");
            selection = FieldSelection.Only.of(pointers("includeOnly", jsonPointers));
            return this;
        }

        /**
         * Sets the largest JSON or form body that is compared by its fields, by default 1 MiB. A larger one is compared by its
         * bytes, without holding it in memory. Multipart is read as a stream at any size.
         */
        public Builder maxCanonicalBytes(int bytes) {
            refuseIf(maxCanonicalBytes != null, "maxCanonicalBytes");
            if (!FingerprintRecipe.isLimit(bytes)) {
                throw new IllegalArgumentException("fingerprint.maxCanonicalBytes is " + bytes + "; it can be 1 to "
                        + FingerprintRecipe.MOST_CANONICAL_BYTES + ".");
            }
            maxCanonicalBytes = bytes;
            return this;
        }

        /**
         * Builds the fingerprinter.
         *
         * @throws IllegalArgumentException if the recipe of these options is too long to be stored with each record
         */
        public RequestFingerprinter build() {
            FingerprintRecipe recipe = FingerprintRecipe.of(
                    Optional.ofNullable(currentSecret),
                    maxCanonicalBytes == null ? FingerprintRecipe.DEFAULT_MAX_CANONICAL_BYTES : maxCanonicalBytes,
                    selection == null ? new FieldSelection.Everything() : selection);
            if (recipe.text().length() > Fingerprint.MAX_RECIPE_LENGTH) {
                throw new IllegalArgumentException(
                        "fingerprint.ignoredFields or includeOnly names so many fields that the recipe"
                                + " stored with each record has "
                                + recipe.text().length() + " characters; it can have "
                                + Fingerprint.MAX_RECIPE_LENGTH + ". Name fewer, or an object that contains them.");
            }
            return new RequestFingerprinter(recipe, new TreeMap<>(secrets));
        }

        private void addSecret(String keyId, byte[] secret) {
            if (!FingerprintRecipe.isKeyId(keyId)) {
                throw new IllegalArgumentException(
                        "fingerprint.secret has the key id '" + keyId + "'; it can be 1 to 64 of A-Z a-z 0-9 . _ -");
            }
            if (secret.length < LEAST_SECRET_BYTES) {
                throw new IllegalArgumentException("fingerprint.secret '" + keyId + "' has " + secret.length
                        + " bytes; give at least " + LEAST_SECRET_BYTES + " random ones.");
            }
            refuseIf(secrets.containsKey(keyId), "secret '" + keyId + "'");
            secrets.put(keyId, new SecretKeySpec(secret, "HmacSHA256"));
        }

        private static List<JsonPointer> pointers(String option, String... texts) {
            var pointers = new ArrayList<JsonPointer>();
            for (String text : texts) {
                pointers.add(JsonPointer.parse(text));
            }
            if (pointers.isEmpty() || new HashSet<>(pointers).size() < pointers.size()) {
                throw new IllegalArgumentException(
                        "fingerprint." + option + " needs at least one JSON pointer, and each only once.");
            }
            return List.copyOf(pointers);
        }

        private static void refuseIf(boolean alreadySet, String option) {
            if (alreadySet) {
                throw new IllegalStateException("fingerprint." + option + " is set twice; set it once.");
            }
        }
    }
}
