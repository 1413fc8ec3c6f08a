package dev.refrain.store.encryption;

import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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
    private static final Pattern SEPARATOR = Pattern.compile("[,\\s]+");
    static final int LONGEST_ID = 64;
    private static final String MAKE_ONE = "Make one with `openssl rand -base64 32`.";

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
     * Returns this ring, which also reads payloads that were stored before encryption was enabled. Remove it once the longest
     * retention has passed: until then anyone who can write to the database could plant an answer.
     */
    public EncryptionKeyRing readingPlain() {
        return new EncryptionKeyRing(current, secrets, true);
    }

    /**
     * Reads a ring from text, such as that of an environment variable or a mounted file: {@code id=secret} pairs, each secret 32 bytes in
     * base64, the current one first, separated by commas or white space.
     *
     * @throws IllegalArgumentException if it is malformed; the message shows no secret
     */
    public static EncryptionKeyRing parse(String text) {
        @Nullable EncryptionKeyRing ring = null;
        for (String pair : SEPARATOR.splitAsStream(text.strip()).toList()) {
            // Entries are counted and not shown: what stands for an id may be a secret.
            int entry = ring == null ? 1 : ring.secrets.size() + 1;
            int equals = pair.indexOf('=');
            // A secret without its id ends in the padding of base64.
            if (equals < 1 || pair.substring(equals).chars().allMatch(c -> c == '=')) {
                throw malformed(
                        entry, "is not id=secret. Write id=BASE64, the current key first, separated by commas.");
            }
            String id = pair.substring(0, equals);
            byte[] secret = decoded(entry, pair.substring(equals + 1));
            ring = ring == null ? of(id, secret) : ring.and(id, secret);
        }
        return Objects.requireNonNull(ring, "a split text has at least one part");
    }

    private static byte[] decoded(int entry, String text) {
        byte[] secret;
        try {
            secret = Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException wrong) {
            throw malformed(entry, "has a secret that is not base64. " + MAKE_ONE);
        }
        if (secret.length != SECRET_BYTES) {
            throw malformed(
                    entry,
                    "has a secret of " + secret.length + " bytes, but AES-256 needs " + SECRET_BYTES + ". " + MAKE_ONE);
        }
        return secret;
    }

    private static IllegalArgumentException malformed(int entry, String found) {
        return new IllegalArgumentException("Cannot read the encryption keys: entry " + entry + " " + found);
    }

    /** Returns what a store remembers of the current key: its id, and a check value by which another secret under that id is found. */
    String currentMark() {
        return mark(current);
    }

    private String mark(String id) {
        return id + " " + PayloadCipher.checkValue(secret(id).orElseThrow());
    }

    void requireSecretsOf(Set<String> marks) {
        for (String mark : marks) {
            String id = idIn(mark);
            if (secrets.containsKey(id) && !marks.contains(mark(id))) {
                throw new IllegalArgumentException("encryption.keys." + id
                        + " is another secret than the one this store was encrypted with under that id. Use that one, or give the new"
                        + " secret an id of its own.");
            }
        }
    }

    void requireInUse(Set<String> marks) {
        if (!marks.contains(currentMark())) {
            throw new IllegalArgumentException("No application encrypts with key '" + current
                    + "' in this store"
                    + (marks.isEmpty()
                            ? ", which is not encrypted"
                            : "; known are "
                                    + marks.stream()
                                            .map(EncryptionKeyRing::idIn)
                                            .distinct()
                                            .collect(Collectors.joining(", ")))
                    + ". Put a key first that the applications have.");
        }
    }

    /** Returns the ids of the keys that encrypted in a store and are not in this ring; sorted. */
    SortedSet<String> missingOf(Set<String> marks) {
        return marks.stream()
                .map(EncryptionKeyRing::idIn)
                .filter(id -> !secrets.containsKey(id))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns false if a store was encrypted with other keys only, so that nothing encrypted in it can be read. */
    boolean readsAnyOf(Set<String> marks) {
        return marks.isEmpty() || secrets.keySet().stream().anyMatch(id -> marks.contains(mark(id)));
    }

    Set<String> ids() {
        return new TreeSet<>(secrets.keySet());
    }

    private static String idIn(String mark) {
        return mark.substring(0, Math.max(0, mark.lastIndexOf(' ')));
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
        return "KeyRing[current " + current + ", known " + ids() + "]";
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
