package dev.refrain.api;

import dev.refrain.internal.key.Sha256Digests;
import dev.refrain.internal.key.StorableText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * Identity of a record: scope, namespace (of the operation) and key.
 *
 * <p>The scope must come from the authenticated caller, never from anything that a client can forge. Equal keys of different
 * scopes or namespaces are different identities.
 *
 * <p>The constructor takes three strings and is for stores, which read them from columns of these names. Everybody else names the
 * parts, so that none can be swapped:
 * {@snippet :
 * var identity = ClientKey.scope(tenant).key("order-7").inNamespace("orders.create");
 * }
 *
 * <p>{@link #toString()} is safe for logs: it shows neither the scope nor the whole key.
 */
public record ScopedKey(String scope, String namespace, String key) {

    /** Maximum length of scope and namespace in UTF-8 bytes; the key's own limit is in {@code KeyRules}. */
    public static final int MAX_BYTES = 512;

    public ScopedKey {
        requireStorable("scope", scope);
        requireStorable("namespace", namespace);
        requireStorable("key", key);
        if (namespace.isEmpty() || key.isEmpty()) {
            throw new InvalidIdempotencyKeyException((namespace.isEmpty() ? "The namespace" : "The key")
                    + " is empty. Only the scope may be empty, if there is one tenant.");
        }
    }

    /** Returns the hash under which stores find this identity's record. */
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

    /** Returns some hash of the scope, enough to find the range of all its records. */
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
        if (!StorableText.isStorable(value)) {
            throw new InvalidIdempotencyKeyException(StorableText.refusal(what));
        }
        if (value.length() > MAX_BYTES || value.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            throw new InvalidIdempotencyKeyException("The " + what + " is longer than " + MAX_BYTES + " bytes.");
        }
    }

    /** Adds the length first, so that ("ab", "c") and ("a", "bc") differ. */
    private static void frame(MessageDigest sha, byte[] part) {
        sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).flip());
        sha.update(part);
    }
}
