package dev.refrain.store;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Digest of the request that created a record: enough to recognise another request, not enough to reconstruct this one.
 *
 * <p>The {@linkplain #recipe() recipe} says how the digest was made. Store both; to compare, compute the new request's
 * fingerprint by the stored recipe:
 * {@snippet :
 * Fingerprint recorded = Fingerprint.stored(recipeColumn, digestColumn);
 * boolean sameRequest = fingerprinter.of(request, recorded.recipe()).matches(recorded);
 * }
 *
 * <p>Immutable and thread-safe; arrays are copied in and out. Comparison takes constant time. {@link #toString()} is safe for
 * logs.
 */
public final class Fingerprint {

    /** Length of a digest in bytes. */
    public static final int DIGEST_BYTES = 32;

    /** Longest recipe in ASCII characters, which is the minimum width of a store's column. */
    public static final int MAX_RECIPE_LENGTH = 512;

    private static final int SHOWN_BYTES = 4;

    private final String recipe;
    private final byte[] digest;

    /** Creates a fingerprint without copying or validating. */
    public Fingerprint(String recipe, byte[] digest) {
        this.recipe = recipe;
        this.digest = digest;
    }

    /**
     * Creates a fingerprint from stored values. This version need not support the recipe; that matters only when a request is
     * compared with it.
     *
     * @throws IllegalArgumentException if the values cannot come from a fingerprint: a damaged or foreign row
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

    /** Returns how the digest was made: short ASCII, for a column beside it, in an internal format. */
    public String recipe() {
        return recipe;
    }

    /** Returns a copy of the digest. */
    public byte[] digest() {
        return digest.clone();
    }

    /** Returns true if both were made by the same recipe from the same request. Different recipes never match. */
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
