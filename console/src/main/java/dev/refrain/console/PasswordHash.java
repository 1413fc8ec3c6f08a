package dev.refrain.console;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * Password hash as it is configured: {@code pbkdf2-sha256:ROUNDS:SALT:HASH}. Immutable; {@link #toString} reveals
 * nothing.
 *
 * {@snippet :
 * String configured = PasswordHash.of(password).text();
 * }
 */
public final class PasswordHash {

    private static final String KIND = "pbkdf2-sha256";
    private static final int ROUNDS = 600_000;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BITS = 256;

    private final int rounds;
    private final byte[] salt;
    private final byte[] hash;

    private PasswordHash(int rounds, byte[] salt, byte[] hash) {
        this.rounds = rounds;
        this.salt = salt;
        this.hash = hash;
    }

    /** Hashes a password with a new salt. */
    public static PasswordHash of(char[] password) {
        return of(password, ROUNDS);
    }

    static PasswordHash of(char[] password, int rounds) {
        byte[] salt = new byte[SALT_BYTES];
        new SecureRandom().nextBytes(salt);
        return new PasswordHash(rounds, salt, derive(password, salt, rounds));
    }

    /**
     * Parses a configured hash.
     *
     * @throws IllegalArgumentException if it is malformed; the message does not contain it
     */
    public static PasswordHash parse(String text) {
        var parts = text.strip().split(":", -1);
        try {
            if (parts.length == 4 && parts[0].equals(KIND) && Integer.parseInt(parts[1]) >= 1_000) {
                var decoder = Base64.getDecoder();
                return new PasswordHash(Integer.parseInt(parts[1]), decoder.decode(parts[2]), decoder.decode(parts[3]));
            }
        } catch (IllegalArgumentException e) {
            // Reported below, like everything else that is wrong with it.
        }
        throw new IllegalArgumentException("Invalid password hash for the console: expected " + KIND
                + ":ROUNDS:SALT:HASH. Create one with `refrain console password`.");
    }

    public String text() {
        var encoder = Base64.getEncoder();
        return KIND + ":" + rounds + ":" + encoder.encodeToString(salt) + ":" + encoder.encodeToString(hash);
    }

    boolean matches(char[] password) {
        return MessageDigest.isEqual(hash, derive(password, salt, rounds));
    }

    private static byte[] derive(char[] password, byte[] salt, int rounds) {
        try {
            // The platform rejects an empty password; this placeholder matches nothing.
            char[] some = password.length == 0 ? new char[] {0} : password;
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(new PBEKeySpec(some, salt, rounds, HASH_BITS))
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java runtime has no PBKDF2WithHmacSHA256.", e);
        }
    }

    @Override
    public String toString() {
        return KIND + ":…";
    }
}
