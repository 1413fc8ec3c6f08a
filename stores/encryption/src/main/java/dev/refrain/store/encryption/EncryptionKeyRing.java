package dev.refrain.store.encryption;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The secrets that payloads are encrypted with: one current, which encrypts, and former ones, which only decrypt.
 *
 * <p>To rotate: give every instance the new secret as a former one, then make it the current one, and drop the old one when
 * the longest retention has passed. Immutable; never prints a secret.
 *
 * {@snippet :
 * var ring = EncryptionKeyRing.of("2026-11", newSecret).and("2026-05", oldSecret);
 * var store = EncryptingStore.around(JdbcStore.on(dataSource), ring);
 * }
 */
public final class EncryptionKeyRing {

    private static final int SECRET_BYTES = 32;
    static final int LONGEST_ID = 64;

    private final String current;
    private final Map<String, byte[]> secrets;
    private final boolean readsPlain;

    private EncryptionKeyRing(String current, Map<String, byte[]> secrets, boolean readsPlain) {
        this.current = current;
        this.secrets = secrets;
        this.readsPlain = readsPlain;
    }

    /** A ring with one secret of 32 bytes, which encrypts from now on. */
    public static EncryptionKeyRing of(String id, byte[] secret) {
        return new EncryptionKeyRing(id, Map.of(checked(id), checked(id, secret)), false);
    }

    /** The same ring, and it can decrypt what this secret encrypted. */
    public EncryptionKeyRing and(String id, byte[] former) {
        if (secrets.containsKey(id)) {
            throw new IllegalArgumentException("encryption.keys has '" + id + "' twice; each secret has its own id.");
        }
        var more = new HashMap<>(secrets);
        more.put(checked(id), checked(id, former));
        return new EncryptionKeyRing(current, Map.copyOf(more), readsPlain);
    }

    /**
     * The same ring, and payloads that were stored before encryption was switched on are read as they are. Leave it out once
     * the longest retention has passed: whoever can write to the database could otherwise plant an answer.
     */
    public EncryptionKeyRing readingPlain() {
        return new EncryptionKeyRing(current, secrets, true);
    }

    String current() {
        return current;
    }

    boolean readsPlain() {
        return readsPlain;
    }

    byte[] currentSecret() {
        return secret(current).orElseThrow();
    }

    Optional<byte[]> secret(String id) {
        return Optional.ofNullable(secrets.get(id));
    }

    @Override
    public String toString() {
        return "KeyRing[current " + current + ", known " + new TreeSet<>(secrets.keySet()) + "]";
    }

    private static String checked(String id) {
        if (id.isEmpty() || id.length() > LONGEST_ID || !id.chars().allMatch(c -> c > 0x20 && c < 0x7F)) {
            throw new IllegalArgumentException("encryption.keys: an id has 1 to " + LONGEST_ID
                    + " visible ASCII characters, but one has " + id.length() + " characters.");
        }
        return id;
    }

    private static byte[] checked(String id, byte[] secret) {
        if (secret.length != SECRET_BYTES) {
            throw new IllegalArgumentException("encryption.keys." + id + " must have " + SECRET_BYTES
                    + " bytes (AES-256), but has " + secret.length + ".");
        }
        return Arrays.copyOf(secret, secret.length);
    }
}
