package dev.refrain.internal.key;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Where digests come from. Safe for use by many threads. */
public final class Sha256Digests {

    /** Never fed, only copied: to look the algorithm up costs as much as to digest a short text. */
    private static final MessageDigest UNFED = lookUp();

    private Sha256Digests() {}

    /** A digest that was fed nothing yet; not thread-safe. */
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
