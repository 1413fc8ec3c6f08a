package dev.refrain.api;

import dev.refrain.internal.key.Sha256Digests;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * What a key is: who asks, for which operation, under which key.
 *
 * <p>The scope must come from the authenticated caller, never from anything a client can forge. Equal keys of different
 * scopes or namespaces are different identities and never meet.
 *
 * <p>{@link #toString()} is safe for logs: it shows neither scope nor the whole key.
 */
public record ScopedKey(String scope, String namespace, String key) {

    /** Longest scope and namespace, in UTF-8 bytes; the key's own limit is in {@code KeyRules}. */
    public static final int MAX_BYTES = 512;

    public ScopedKey {
        requireStorable("scope", scope);
        requireStorable("namespace", namespace);
        requireStorable("key", key);
        if (namespace.isEmpty() || key.isEmpty()) {
            throw new InvalidIdempotencyKeyException((namespace.isEmpty() ? "The namespace" : "The key")
                    + " is empty; a record needs both (the scope alone may be empty: one tenant).");
        }
    }

    /** Where a store looks for this identity's record. */
    public KeyHash hash() {
        var sha = Sha256Digests.fresh();
        byte[] scopeBytes = scope.getBytes(StandardCharsets.UTF_8);
        int scopePart = ByteBuffer.wrap(sha.digest(scopeBytes)).getInt();
        frame(sha, scopeBytes);
        frame(sha, namespace.getBytes(StandardCharsets.UTF_8));
        frame(sha, key.getBytes(StandardCharsets.UTF_8));
        var whole = ByteBuffer.wrap(sha.digest());
        long high = ((long) scopePart << 32) | (whole.getInt() & 0xFFFF_FFFFL);
        return new KeyHash(high, whole.getLong());
    }

    /** Some lookup of the scope: enough to find the range in which all of its records lie. */
    public static KeyHash anyHashOfScope(String scope) {
        return new ScopedKey(scope, "-", "-").hash();
    }

    @Override
    public String toString() {
        return namespace + "/" + redact(key);
    }

    private static String redact(String key) {
        return key.length() <= 8 ? "…" : key.substring(0, 4) + "…";
    }

    private static void requireStorable(String what, String value) {
        if (value.indexOf('\0') >= 0 || hasHalfOfAPair(value)) {
            throw new InvalidIdempotencyKeyException(
                    "The " + what + " holds a NUL or half of a surrogate pair, which no store keeps.");
        }
        if (value.length() > MAX_BYTES || value.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            throw new InvalidIdempotencyKeyException("The " + what + " is longer than " + MAX_BYTES + " bytes.");
        }
    }

    /** An encoder is made only for text that has surrogates at all, which keys hardly ever have. */
    private static boolean hasHalfOfAPair(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (Character.isSurrogate(value.charAt(i))) {
                return !StandardCharsets.UTF_8.newEncoder().canEncode(value);
            }
        }
        return false;
    }

    /** Length first, so that ("ab", "c") and ("a", "bc") differ. */
    private static void frame(MessageDigest sha, byte[] part) {
        sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).flip());
        sha.update(part);
    }
}
