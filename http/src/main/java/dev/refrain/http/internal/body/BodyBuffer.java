package dev.refrain.http.internal.body;

import dev.refrain.api.Payload;
import dev.refrain.http.edge.BufferReservation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;
import java.util.function.LongPredicate;

/**
 * Buffer for one body, up to a limit, in memory that is reserved before it is used: all of it before the first byte if the length is declared,
 * growing with the body otherwise. A declared body is read into an array of its own length, without a copy. Not thread-safe.
 */
public final class BodyBuffer {

    private static final int FIRST = 4 << 10;

    private final BufferReservation memory;
    private final LongPredicate reserve;
    private final int limit;
    private byte[] bytes = new byte[0];
    private int size;

    /** Result of reading or extending a body. */
    public enum BufferResult {
        /** The bytes are in the buffer. */
        BUFFERED,
        /** The body is larger than the limit. */
        TOO_LARGE,
        /** There is no memory for it at the moment. */
        NO_MEMORY
    }

    /**
     * Creates a buffer.
     *
     * @param memory the memory of the exchange
     * @param reserve reserves memory of {@code memory}: {@link BufferReservation#tryReserve}, or one that waits
     * @param limit the largest body
     */
    public BodyBuffer(BufferReservation memory, LongPredicate reserve, int limit) {
        this.memory = memory;
        this.reserve = reserve;
        this.limit = limit;
    }

    /** Creates the buffer of a request, which is refused if there is no memory for it. */
    public static BodyBuffer ofRequest(BufferReservation memory, int limit) {
        return new BodyBuffer(memory, memory::tryReserve, limit);
    }

    /**
     * Prepares for a body of this length. Called before anything is read.
     *
     * @param declared the declared length; negative if there is none
     */
    public BufferResult expect(long declared) {
        if (declared > limit) {
            return BufferResult.TOO_LARGE;
        }
        if (declared <= 0) {
            return BufferResult.BUFFERED;
        }
        if (!reserve.test(declared)) {
            return BufferResult.NO_MEMORY;
        }
        bytes = new byte[(int) declared];
        return BufferResult.BUFFERED;
    }

    /** Reads a stream to its end, as far as there is memory and the limit allows. */
    public BufferResult readFrom(InputStream in) throws IOException {
        while (true) {
            if (size == bytes.length) {
                // A declared body ends here.
                int next = in.read();
                if (next < 0) {
                    return BufferResult.BUFFERED;
                }
                var grown = append(new byte[] {(byte) next}, 0, 1);
                if (grown != BufferResult.BUFFERED) {
                    return grown;
                }
            }
            int read = in.read(bytes, size, bytes.length - size);
            if (read < 0) {
                return BufferResult.BUFFERED;
            }
            size += read;
        }
    }

    /** Appends bytes. If they do not fit they are held nevertheless, so that nothing is lost of a body that passes on as a stream. */
    public BufferResult append(byte[] more, int offset, int count) {
        var result = BufferResult.BUFFERED;
        if (count > bytes.length - size) {
            result = grow(size + count);
        }
        System.arraycopy(more, offset, bytes, size, count);
        size += count;
        return result;
    }

    private BufferResult grow(int needed) {
        int length = bytes.length;
        int capacity = Math.max(needed, (int) Math.min(limit, Math.max(FIRST, 2L * length)));
        var result = needed > limit
                ? BufferResult.TOO_LARGE
                : reserve.test(capacity) ? BufferResult.BUFFERED : BufferResult.NO_MEMORY;
        if (result != BufferResult.BUFFERED) {
            capacity = needed;
            memory.count(capacity);
        }
        bytes = Arrays.copyOf(bytes, capacity);
        memory.giveBack(length);
        return result;
    }

    public int size() {
        return size;
    }

    /** Returns what was read. Nothing may be read or appended afterwards. */
    public Payload payload() {
        if (size < bytes.length) {
            int length = bytes.length;
            memory.count(size);
            bytes = Arrays.copyOf(bytes, size);
            memory.giveBack(length);
        }
        return Payload.of(bytes);
    }

    /** Returns the whole body as a stream: what was read, and what is left. */
    public InputStream followedBy(InputStream rest) {
        return size == 0 ? rest : new SequenceInputStream(new ByteArrayInputStream(bytes, 0, size), rest);
    }
}
