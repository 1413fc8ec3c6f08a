package dev.refrain.internal.key;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Creates SHA-256 digests. Thread-safe. */
public final class Sha256Digests {

    /** Template that is only copied: looking up the algorithm costs as much as digesting a short text. */
    private static final MessageDigest UNFED = lookUp();

    private Sha256Digests() {}

    /** Returns a new digest; not thread-safe. */
    public static MessageDigest fresh() {
        try {
            return (MessageDigest) UNFED.clone();
        } catch (CloneNotSupportedException e) {
            return lookUp();
        }
    }

    private static MessageDigest lookUp() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform must offer SHA-256; no other digest will do", e);
        }
    }
}
