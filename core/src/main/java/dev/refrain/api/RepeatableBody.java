package dev.refrain.api;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Request body that can be read more than once, since a record with an older recipe needs a second reading.
 *
 * <p>The fingerprint of a stream that was already read would be that of an empty body, the same for every request. So the length
 * is checked: a second reading with another length than the first, or a first one with another than announced, fails with {@link
 * BodyAlreadyReadException}.
 * {@snippet :
 * RepeatableBody upload = RepeatableBody.stream(() -> Files.newInputStream(file), Files.size(file));
 * }
 *
 * <p>Thread-safe if its source is.
 */
public final class RepeatableBody {

    /** Opens the body from its start each time. The reader closes the stream. */
    @FunctionalInterface
    public interface Source {
        public InputStream open() throws IOException;
    }

    private static final long UNKNOWN = -1;
    private static final byte[] NOTHING = {};

    private final Source source;
    private final AtomicLong length;

    private RepeatableBody(Source source, long length) {
        this.source = source;
        this.length = new AtomicLong(length);
    }

    /** Returns an empty body. */
    public static RepeatableBody empty() {
        return of(NOTHING);
    }

    /** Returns a body of these bytes. They are not copied: do not change them until the fingerprint is made. */
    public static RepeatableBody of(byte[] bytes) {
        return new RepeatableBody(() -> new ByteArrayInputStream(bytes), bytes.length);
    }

    /**
     * Returns a body of unknown length. Announce the length if you can, so that a drained stream is detected at the first
     * reading.
     */
    public static RepeatableBody stream(Source source) {
        return new RepeatableBody(Objects.requireNonNull(source, "source"), UNKNOWN);
    }

    /** Returns a body that must have exactly {@code length} bytes. */
    public static RepeatableBody stream(Source source, long length) {
        if (length < 0) {
            throw new IllegalArgumentException(
                    "A body's length must not be negative, but is " + length + ". Leave it out if it is unknown.");
        }
        return new RepeatableBody(Objects.requireNonNull(source, "source"), length);
    }

    public InputStream open() throws IOException {
        return new LengthCheckedStream(
                Objects.requireNonNull(source.open(), "The body's source opened no stream (null)."));
    }

    @Override
    public String toString() {
        long known = length.get();
        return "Body[" + (known == UNKNOWN ? "unknown length" : known + " bytes") + "]";
    }

    private final class LengthCheckedStream extends InputStream {
        private final InputStream in;
        private long read;

        LengthCheckedStream(InputStream in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            int next = in.read();
            account(next < 0 ? -1 : 1);
            return next;
        }

        @Override
        public int read(byte[] into, int offset, int count) throws IOException {
            int got = in.read(into, offset, count);
            account(got);
            return got;
        }

        @Override
        public int available() throws IOException {
            return in.available();
        }

        private void account(int got) {
            if (got >= 0) {
                read += got;
            } else if (!length.compareAndSet(UNKNOWN, read) && length.get() != read) {
                throw new BodyAlreadyReadException(length.get(), read);
            }
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
