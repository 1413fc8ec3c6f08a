package dev.refrain.api;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that a store keeps and returns unchanged: an encoded outcome, a stored request, the state of a flow.
 *
 * <p>Does not copy the array: do not change it afterwards. Immutable by that convention, and compared by content.
 */
public final class Payload {

    private final byte[] bytes;
    private final @Nullable Throwable unreadable;

    private Payload(byte[] bytes, @Nullable Throwable unreadable) {
        this.bytes = bytes;
        this.unreadable = unreadable;
    }

    public static Payload of(byte[] bytes) {
        return new Payload(
                Objects.requireNonNull(bytes, "bytes must not be null; use an empty array if there are none"), null);
    }

    /**
     * Creates a stored outcome that cannot be read here, for stores that wrap another, such as encryption: its record is seen and
     * compared, and asking for its bytes throws an {@link UnreadableOutcomeException}.
     *
     * @param why its message becomes that of the exception
     */
    public static Payload unreadable(Throwable why) {
        return new Payload(new byte[0], why);
    }

    /**
     * Returns the bytes themselves, not a copy; do not change them.
     *
     * @throws UnreadableOutcomeException if they are stored, but cannot be read here
     */
    public byte[] bytes() {
        if (unreadable != null) {
            throw new UnreadableOutcomeException(String.valueOf(unreadable.getMessage()), unreadable);
        }
        return bytes;
    }

    public int size() {
        return bytes.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Payload that
                && Arrays.equals(bytes, that.bytes)
                && Objects.equals(unreadable, that.unreadable);
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
