package dev.refrain;

import dev.refrain.api.InvalidIdempotencyKeyException;
import dev.refrain.api.ScopedKey;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Rules for the keys that an operation accepts. By default 1 to 255 bytes of visible ASCII.
 *
 * <p>Immutable. A key that breaks a rule is rejected with {@link InvalidIdempotencyKeyException} before anything is claimed.
 */
public record KeyRules(int minBytes, int maxBytes, Optional<Pattern> pattern) {

    public static final KeyRules DEFAULT = new KeyRules(1, 255, Optional.empty());

    public KeyRules {
        if (minBytes < 1 || maxBytes < minBytes || maxBytes > ScopedKey.MAX_BYTES) {
            throw new IllegalArgumentException("key.min-bytes and key.max-bytes must satisfy 1 <= min <= max <= "
                    + ScopedKey.MAX_BYTES + ", but are " + minBytes + " and " + maxBytes + ".");
        }
    }

    /** Returns these rules with another minimum and maximum length. */
    public KeyRules lengths(int min, int max) {
        return new KeyRules(min, max, pattern);
    }

    /** Returns these rules with a pattern that the whole key must match. */
    public KeyRules matching(Pattern pattern) {
        return new KeyRules(minBytes, maxBytes, Optional.of(pattern));
    }

    /**
     * Returns the key if it is valid.
     *
     * @throws InvalidIdempotencyKeyException if it breaks a rule; the message says which
     */
    public String check(String key) {
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            if (c < 0x21 || c > 0x7E) {
                throw new InvalidIdempotencyKeyException(
                        "The key has a character outside visible ASCII at position " + i + "; send 0x21 to 0x7E only.");
            }
        }
        if (key.length() < minBytes || key.length() > maxBytes) {
            throw new InvalidIdempotencyKeyException("The key has " + key.length() + " bytes; this operation takes "
                    + minBytes + " to " + maxBytes + ".");
        }
        if (pattern.isPresent() && !pattern.get().matcher(key).matches()) {
            throw new InvalidIdempotencyKeyException("The key does not have the form this operation asks for: "
                    + pattern.get().pattern());
        }
        return key;
    }
}
