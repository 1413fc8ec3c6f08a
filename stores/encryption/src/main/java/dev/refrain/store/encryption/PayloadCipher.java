package dev.refrain.store.encryption;

import dev.refrain.api.KeyHash;
import dev.refrain.api.Payload;
import dev.refrain.store.RowRejectedException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-256-GCM over one payload of one record.
 *
 * <p>Stored form: {@code E1}, version, length and bytes of the key id, 12 bytes of IV, ciphertext with tag. Each record has a
 * key of its own, derived from the secret and its lookup, and the IV is derived from the content: so no two contents share
 * (key, IV) however many records there are, and the same write sent again after a lost reply is the same bytes. Lookup and
 * kind are authenticated: a payload moved to another record or another column does not decrypt.
 */
final class PayloadCipher {

    static final byte MARK = (byte) 0xE1;
    private static final byte VERSION = 1;
    private static final int IV_BYTES = 12;
    private static final int TAG_BITS = 128;

    /** The most bytes that a payload grows by: mark, version, key id with its length, IV and tag. */
    static final int MOST_OVERHEAD = 3 + EncryptionKeyRing.LONGEST_ID + IV_BYTES + TAG_BITS / 8;

    private final EncryptionKeyRing ring;

    PayloadCipher(EncryptionKeyRing ring) {
        this.ring = ring;
    }

    /** Which of a record's payloads it is, or that it is a message's, or the reason why something failed. */
    enum PayloadKind {
        OUTCOME('o'),
        REQUEST('r'),
        CARRIED('c'),
        KEPT_REQUEST('k'),
        MESSAGE('m'),
        REASON('w');

        private final char mark;

        PayloadKind(char mark) {
            this.mark = mark;
        }
    }

    Payload encrypt(Payload plain, KeyHash lookup, PayloadKind kind) {
        byte[] about = about(lookup, kind);
        byte[] secret = ring.currentSecret();
        byte[] id = ring.current().getBytes(StandardCharsets.US_ASCII);
        byte[] iv = Arrays.copyOf(mac(secret, "iv", about, plain.bytes()), IV_BYTES);
        byte[] sealed = crypt(Cipher.ENCRYPT_MODE, secret, about, iv, plain.bytes());
        return Payload.of(ByteBuffer.allocate(3 + id.length + IV_BYTES + sealed.length)
                .put(MARK)
                .put(VERSION)
                .put((byte) id.length)
                .put(id)
                .put(iv)
                .put(sealed)
                .array());
    }

    Payload decrypt(Payload stored, KeyHash lookup, PayloadKind kind) {
        var in = ByteBuffer.wrap(stored.bytes());
        if (in.remaining() == 0 || in.get() != MARK) {
            if (ring.readsPlain()) {
                return stored;
            }
            throw unreadable(
                    "is not encrypted; if it was stored before encryption was switched on, let the key ring read"
                            + " plain payloads until the longest retention has passed.");
        }
        try {
            int version = in.get();
            if (version != VERSION) {
                throw unreadable("has encryption format " + version + "; finish the upgrade of all instances.");
            }
            byte[] id = new byte[in.get()];
            byte[] iv = new byte[IV_BYTES];
            in.get(id).get(iv);
            byte[] sealed = new byte[in.remaining()];
            in.get(sealed);
            String keyId = new String(id, StandardCharsets.US_ASCII);
            byte[] secret = ring.secret(keyId)
                    .orElseThrow(() -> unreadable("was encrypted with key '" + keyId
                            + "', which the key ring lacks; add it as a former key."));
            return Payload.of(crypt(Cipher.DECRYPT_MODE, secret, about(lookup, kind), iv, sealed));
        } catch (BufferUnderflowException | NegativeArraySizeException e) {
            throw RowRejectedException.badData("A stored payload ends too early: the row is damaged.", e);
        }
    }

    /** Returns a short value that differs for different secrets and tells nothing else about them. */
    static String checkValue(byte[] secret) {
        return HexFormat.of().formatHex(mac(secret, "check"), 0, 4);
    }

    /** Returns true if these are bytes that a cipher of any ring wrote. */
    static boolean isEncrypted(byte[] stored) {
        return stored.length > 0 && stored[0] == MARK;
    }

    private static byte[] about(KeyHash lookup, PayloadKind kind) {
        return ByteBuffer.allocate(17)
                .putLong(lookup.high())
                .putLong(lookup.low())
                .put((byte) kind.mark)
                .array();
    }

    private static byte[] crypt(int mode, byte[] secret, byte[] about, byte[] iv, byte[] input) {
        try {
            var cipher = Cipher.getInstance("AES/GCM/NoPadding");
            var key = new SecretKeySpec(mac(secret, "key", about), "AES");
            cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, iv));
            cipher.updateAAD(about);
            return cipher.doFinal(input);
        } catch (AEADBadTagException e) {
            throw RowRejectedException.badData(
                    "A stored payload does not decrypt: the row was changed, or the secret of that id is another.", e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform must offer AES/GCM/NoPadding", e);
        }
    }

    private static byte[] mac(byte[] secret, String purpose, byte[]... parts) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            mac.update(purpose.getBytes(StandardCharsets.US_ASCII));
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform must offer HmacSHA256", e);
        }
    }

    private static RowRejectedException unreadable(String found) {
        return RowRejectedException.badData("A stored payload " + found, null);
    }
}
