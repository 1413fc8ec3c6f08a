package dev.refrain.http.client;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.UUID;

/** Mints a new key for each new intent. Implementations are thread-safe. */
@FunctionalInterface
public interface IdempotencyKeyGenerator {

    /** A key that was never used: 1 to 255 characters of visible ASCII. */
    String next();

    /** UUIDs of version 7, which sort by the time they were made: the default, because a server's indexes like them. */
    static IdempotencyKeyGenerator uuidV7() {
        var uuids = new UuidV7Generator(InstantSource.system(), new SecureRandom());
        return () -> uuids.next().toString();
    }

    /** UUIDs of version 4, for who must not tell when a key was made. */
    static IdempotencyKeyGenerator uuidV4() {
        return () -> UUID.randomUUID().toString();
    }
}
