package dev.refrain.store;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What a record keeps of the request that made it: enough to tell another request, not enough to read it back.
 *
 * <p>The {@linkplain #recipe() recipe} says how the digest was made. Store both; to compare, make the new request's
 * fingerprint by the stored recipe:
 *
 * {@snippet :
 * Fingerprint recorded = Fingerprint.stored(recipeColumn, digestColumn);
 * boolean sameRequest = fingerprinter.of(request, recorded.recipe()).matches(recorded);
 * }
 *
 * <p>Immutable and safe for use by many threads; arrays are copied in and out. Comparison takes the same time wherever
 * the first difference is. {@link #toString()} is safe for logs.
 */
public final class Fingerprint {

    /** Bytes of a digest. */
    public static final int DIGEST_BYTES = 32;

    /** The longest recipe, in ASCII characters: how wide a store's column must be. */
    public static final int MAX_RECIPE_LENGTH = 512;

    private static final int SHOWN_BYTES = 4;

    private final String recipe;
    private final byte[] digest;

    /** As made here: the recipe is known to be one, and nobody else has the array. */
    public Fingerprint(String recipe, byte[] digest) {
        this.recipe = recipe;
        this.digest = digest;
    }

    /**
     * A fingerprint as a store kept it. The recipe need not be one that this version can follow: that matters only when
     * a request is to be compared with it.
     *
     * @throws IllegalArgumentException if these cannot have come from a fingerprint: a damaged or foreign row
     */
    public static Fingerprint stored(String recipe, byte[] digest) {
        if (recipe.isEmpty()
                || recipe.length() > MAX_RECIPE_LENGTH
                || !recipe.chars().allMatch(c -> c > 0x20 && c < 0x7F)) {
            throw new IllegalArgumentException("A stored fingerprint's recipe has 1 to " + MAX_RECIPE_LENGTH
                    + " visible ASCII characters; this one has " + recipe.length() + " characters.");
        }
        if (digest.length != DIGEST_BYTES) {
            throw new IllegalArgumentException("A stored fingerprint's digest has " + DIGEST_BYTES
                    + " bytes; this one has " + digest.length + ".");
        }
        return new Fingerprint(recipe, digest.clone());
    }

    /** How the digest was made; short ASCII, for a column beside it. Its form is this package's own business. */
    public String recipe() {
        return recipe;
    }

    /** The digest, a copy. */
    public byte[] digest() {
        return digest.clone();
    }

    /** Whether both were made by the same recipe from the same request. Different recipes never match. */
    public boolean matches(Fingerprint other) {
        return recipe.equals(other.recipe) && MessageDigest.isEqual(digest, other.digest);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Fingerprint that && matches(that);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(digest);
    }

    @Override
    public String toString() {
        return "Fingerprint[" + recipe + " " + HexFormat.of().formatHex(digest, 0, SHOWN_BYTES) + "…]";
    }
}
