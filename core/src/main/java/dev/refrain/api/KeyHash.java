package dev.refrain.api;

import java.util.UUID;

/**
 * Hash of 16 bytes under which a store finds a record.
 *
 * <p>The first four bytes hash the scope alone, so that the records of one scope lie side by side in an ordered index and can be
 * counted, listed or erased without an index of their own. The other twelve hash the whole identity. The hash only finds a
 * record: stores compare the full identity, so a collision does no harm.
 *
 * <p>Ordered as unsigned bytes, as databases order UUIDs; batches are sent in this order so that two batches never lock the same
 * rows in opposite orders. Immutable.
 */
public record KeyHash(long high, long low) implements Comparable<KeyHash> {

    private static final long SCOPE_MASK = 0xFFFF_FFFF_0000_0000L;

    public static KeyHash of(UUID value) {
        return new KeyHash(value.getMostSignificantBits(), value.getLeastSignificantBits());
    }

    public UUID asUuid() {
        return new UUID(high, low);
    }

    /** Returns the lowest hash of this scope. */
    public KeyHash firstOfScope() {
        return new KeyHash(high & SCOPE_MASK, 0);
    }

    /** Returns the highest hash of this scope. */
    public KeyHash lastOfScope() {
        return new KeyHash(high | ~SCOPE_MASK, -1);
    }

    @Override
    public int compareTo(KeyHash other) {
        int byHigh = Long.compareUnsigned(high, other.high);
        return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
    }

    @Override
    public String toString() {
        return asUuid().toString();
    }
}
