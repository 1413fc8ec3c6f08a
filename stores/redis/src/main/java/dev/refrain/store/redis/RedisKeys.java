package dev.refrain.store.redis;

import dev.refrain.api.KeyHash;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * Names of keys. A record and the indices that its scripts change lie in one of {@link #PARTITIONS} partitions, chosen by the record's lookup; the
 * partition is the hash tag of all of them, so that on a Cluster they lie in one slot.
 */
record RedisKeys(String prefix) {

    static final int PARTITIONS = 64;

    /** Hexadecimal digits of a scope's hash; enough that two scopes never share a set. */
    private static final int SCOPE_BYTES = 16;

    int partitionOf(KeyHash lookup) {
        return (int) (lookup.low() & (PARTITIONS - 1));
    }

    static String member(KeyHash lookup) {
        return HexFormat.of().toHexDigits(lookup.high()) + HexFormat.of().toHexDigits(lookup.low());
    }

    static KeyHash lookup(String member) {
        return new KeyHash(HexFormat.fromHexDigitsToLong(member, 0, 16), HexFormat.fromHexDigitsToLong(member, 16, 32));
    }

    byte[] record(KeyHash lookup) {
        return in(partitionOf(lookup), "r:" + member(lookup));
    }

    byte[] lease(int partition) {
        return in(partition, "lease");
    }

    byte[] expiry(int partition) {
        return in(partition, "expiry");
    }

    byte[] attention(int partition) {
        return in(partition, "attention");
    }

    byte[] clock(int partition) {
        return in(partition, "clock");
    }

    byte[] trail(int partition) {
        return in(partition, "trail");
    }

    byte[] scope(int partition, String scope) {
        return in(partition, "s:" + scopeHash(scope));
    }

    /** Steps belong to no record: an operation has a slot of its own. */
    byte[] steps(String operation) {
        return utf8(prefix + ":steps:{" + scopeHash(operation) + "}");
    }

    /** Marks of encryption belong to the whole store. */
    byte[] encryptionMarks() {
        return utf8(prefix + ":encryption");
    }

    /** Written before a WAIT, so that it waits for all that came before. */
    byte[] waitMarker() {
        return in(0, "wait");
    }

    /** The keys that every script on a record is given first, in this order. */
    List<byte[]> ofRecord(KeyHash lookup, byte[] more) {
        int partition = partitionOf(lookup);
        return List.of(
                record(lookup), lease(partition), expiry(partition), attention(partition), clock(partition), more);
    }

    static String scopeHash(String scope) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(utf8(scope));
            return HexFormat.of().formatHex(digest, 0, SCOPE_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private byte[] in(int partition, String name) {
        return utf8("{" + prefix + ":" + partition + "}:" + name);
    }
}
