package dev.refrain.console;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * A password as it is configured: {@code pbkdf2-sha256:ROUNDS:SALT:HASH}. Immutable; it shows nothing of itself in logs.
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

    /** A new hash, with a salt of its own. */
    public static PasswordHash of(char[] password) {
        return of(password, ROUNDS);
    }

    static PasswordHash of(char[] password, int rounds) {
        byte[] salt = new byte[SALT_BYTES];
        new SecureRandom().nextBytes(salt);
        return new PasswordHash(rounds, salt, derived(password, salt, rounds));
    }

    /** @throws IllegalArgumentException if it is none, without saying what it is */
    public static PasswordHash parse(String text) {
        var parts = text.strip().split(":", -1);
        try {
            if (parts.length == 4 && parts[0].equals(KIND) && Integer.parseInt(parts[1]) >= 1_000) {
                var decoder = Base64.getDecoder();
                return new PasswordHash(Integer.parseInt(parts[1]), decoder.decode(parts[2]), decoder.decode(parts[3]));
            }
        } catch (IllegalArgumentException e) {
            // Told below, as everything else that is wrong with it.
        }
        throw new IllegalArgumentException(
                "The console's password hash has to look like " + KIND + ":ROUNDS:SALT:HASH, and does not.");
    }

    public String text() {
        var encoder = Base64.getEncoder();
        return KIND + ":" + rounds + ":" + encoder.encodeToString(salt) + ":" + encoder.encodeToString(hash);
    }

    boolean matches(char[] password) {
        return MessageDigest.isEqual(hash, derived(password, salt, rounds));
    }

    private static byte[] derived(char[] password, byte[] salt, int rounds) {
        try {
            // The platform refuses an empty password; it matches nothing.
            char[] some = password.length == 0 ? new char[] {0} : password;
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(new PBEKeySpec(some, salt, rounds, HASH_BITS))
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has PBKDF2 with SHA-256.", e);
        }
    }

    @Override
    public String toString() {
        return KIND + ":…";
    }
}
