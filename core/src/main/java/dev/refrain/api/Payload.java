package dev.refrain.api;

import java.util.Arrays;
import java.util.Objects;

/**
 * Bytes that a store keeps and gives back unchanged, without looking inside: an encoded outcome, a stored request, the
 * state a flow carries.
 *
 * <p>Holds the array it was given: whoever makes one gives the array away. Immutable by that convention, and compared by
 * content.
 */
public final class Payload {

    private final byte[] bytes;

    private Payload(byte[] bytes) {
        this.bytes = bytes;
    }

    public static Payload of(byte[] bytes) {
        return new Payload(Objects.requireNonNull(bytes, "bytes: use an empty array if there are none"));
    }

    /** The bytes themselves, not a copy; not to be changed. */
    public byte[] bytes() {
        return bytes;
    }

    public int size() {
        return bytes.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Payload that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "Payload[" + bytes.length + " bytes]";
    }
}
