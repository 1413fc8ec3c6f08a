package dev.refrain.fingerprint;

import dev.refrain.key.Sha256;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.MessageDigest;
import java.util.function.Supplier;
import javax.crypto.Mac;

/** A digest fed with parts that can be told apart again: fixed widths, or the length first. Not thread-safe. */
final class FramedDigest {

    /** How {@link MessageDigest} and {@link Mac} take bytes. */
    private interface Update {
        void accept(byte[] bytes, int offset, int count);
    }

    private final Update update;
    private final Supplier<byte[]> digest;
    private long length;

    private FramedDigest(Update update, Supplier<byte[]> digest) {
        this.update = update;
        this.digest = digest;
    }

    static FramedDigest sha256() {
        var sha = Sha256.fresh();
        return new FramedDigest(sha::update, sha::digest);
    }

    static FramedDigest hmacSha256(Key secret) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(secret);
            return new FramedDigest(mac::update, mac::doFinal);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform must offer HmacSHA256; no other will do", e);
        }
    }

    /** Bytes as they are: only where what follows is of fixed width, or nothing follows. */
    FramedDigest bytes(byte[] bytes, int offset, int count) {
        update.accept(bytes, offset, count);
        length += count;
        return this;
    }

    FramedDigest bytes(byte[] bytes) {
        return bytes(bytes, 0, bytes.length);
    }

    FramedDigest number(long number) {
        return bytes(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    }

    FramedDigest tag(char ascii) {
        return bytes(new byte[] {(byte) ascii});
    }

    FramedDigest framed(byte[] bytes) {
        return number(bytes.length).bytes(bytes);
    }

    FramedDigest text(String text) {
        return framed(AnyText.bytes(text));
    }

    /** The length and digest of all that {@code inner} was fed, in place of that itself. Ends {@code inner}. */
    FramedDigest digestOf(FramedDigest inner) {
        return number(inner.length()).bytes(inner.finish());
    }

    /** How many bytes it was fed. */
    long length() {
        return length;
    }

    byte[] finish() {
        return digest.get();
    }
}
