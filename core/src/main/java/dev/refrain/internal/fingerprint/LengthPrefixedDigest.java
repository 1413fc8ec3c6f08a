package dev.refrain.internal.fingerprint;

import dev.refrain.internal.key.LosslessUtf8;
import dev.refrain.internal.key.Sha256Digests;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.MessageDigest;
import java.util.function.Supplier;
import javax.crypto.Mac;

/** Digest of parts with unambiguous boundaries: of fixed width, or prefixed by their length. Not thread-safe. */
public final class LengthPrefixedDigest {

    /** Common input of {@link MessageDigest} and {@link Mac}. */
    private interface DigestInput {
        void accept(byte[] bytes, int offset, int count);
    }

    private final DigestInput update;
    private final Supplier<byte[]> digest;
    private long length;

    private LengthPrefixedDigest(DigestInput update, Supplier<byte[]> digest) {
        this.update = update;
        this.digest = digest;
    }

    public static LengthPrefixedDigest sha256() {
        var sha = Sha256Digests.fresh();
        return new LengthPrefixedDigest(sha::update, sha::digest);
    }

    public static LengthPrefixedDigest hmacSha256(Key secret) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(secret);
            return new LengthPrefixedDigest(mac::update, mac::doFinal);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform must offer HmacSHA256; no other will do", e);
        }
    }

    /** Adds bytes without their length: only before a part of fixed width, or at the end. */
    public LengthPrefixedDigest bytes(byte[] bytes, int offset, int count) {
        update.accept(bytes, offset, count);
        length += count;
        return this;
    }

    public LengthPrefixedDigest bytes(byte[] bytes) {
        return bytes(bytes, 0, bytes.length);
    }

    public LengthPrefixedDigest number(long number) {
        return bytes(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    }

    public LengthPrefixedDigest tag(char ascii) {
        return bytes(new byte[] {(byte) ascii});
    }

    public LengthPrefixedDigest framed(byte[] bytes) {
        return number(bytes.length).bytes(bytes);
    }

    public LengthPrefixedDigest text(String text) {
        return framed(LosslessUtf8.bytes(text));
    }

    /** Adds the length and digest of everything that {@code inner} was fed. Ends {@code inner}. */
    public LengthPrefixedDigest digestOf(LengthPrefixedDigest inner) {
        return number(inner.length()).bytes(inner.finish());
    }

    /** Returns how many bytes it was fed. */
    public long length() {
        return length;
    }

    public byte[] finish() {
        return digest.get();
    }
}
