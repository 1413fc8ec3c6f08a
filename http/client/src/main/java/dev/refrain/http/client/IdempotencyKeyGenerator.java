package dev.refrain.http.client;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.UUID;

/** Generates a key for each new request. Implementations must be thread-safe. */
@FunctionalInterface
public interface IdempotencyKeyGenerator {

    /** Returns a key that was never used: 1 to 255 visible ASCII characters. */
    String next();

    /** Generates version 7 UUIDs, which sort by creation time. The default, because it suits database indexes. */
    static IdempotencyKeyGenerator uuidV7() {
        var uuids = new UuidV7Generator(InstantSource.system(), new SecureRandom());
        return () -> uuids.next().toString();
    }

    /** Generates version 4 UUIDs, which do not reveal when a key was created. */
    static IdempotencyKeyGenerator uuidV4() {
        return () -> UUID.randomUUID().toString();
    }
}
