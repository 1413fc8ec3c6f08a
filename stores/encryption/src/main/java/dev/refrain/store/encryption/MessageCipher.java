package dev.refrain.store.encryption;

import dev.refrain.api.KeyHash;
import dev.refrain.api.Payload;
import dev.refrain.store.encryption.PayloadCipher.PayloadKind;
import java.util.UUID;

/** Encrypts the contents of messages, each bound to its message's id. As thread-safe as {@link PayloadCipher}. */
record MessageCipher(PayloadCipher cipher) {

    Payload encrypt(UUID message, Payload plain) {
        return cipher.encrypt(plain, KeyHash.of(message), PayloadKind.MESSAGE);
    }

    /** @throws dev.refrain.store.RowRejectedException if it does not decrypt; the message says what to do */
    Payload decrypt(UUID message, Payload stored) {
        return cipher.decrypt(stored, KeyHash.of(message), PayloadKind.MESSAGE);
    }
}
