package dev.refrain.http.servlet;

import dev.refrain.http.edge.BufferReservation;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Buffer for a handler's response body: in memory up to a size, beyond it as {@link OverflowPolicy} says. What is in memory is counted,
 * never refused: the handler has it already. Not thread-safe, like the stream it replaces.
 */
final class ResponseBodyBuffer extends ServletOutputStream {

    /** Handling of a body that is too large to store. */
    enum OverflowPolicy {
        /** Streams the body to the client as it is written, from its first byte. */
        PASS,
        /** Spools the body to a file until the end: nothing may be sent before the commit. */
        SPOOL
    }

    /** Callbacks to the response that owns the body. */
    interface ResponseCallback {

        /** Called once, before the first byte is streamed or spooled. */
        void tooLarge();

        /** Called on every flush, which commits the response. */
        void flushed() throws IOException;

        /** Returns the client's stream. */
        OutputStream client() throws IOException;
    }

    private final int limit;
    private final OverflowPolicy overflow;
    private final ResponseCallback answer;
    private final BufferReservation memory;
    private ByteArrayOutputStream held = new ByteArrayOutputStream(1024);
    private @Nullable OutputStream beyond;
    private @Nullable Path spool;
    private volatile boolean passing;
    private boolean clientGone;
    private volatile boolean closed;

    ResponseBodyBuffer(int limit, OverflowPolicy overflow, BufferReservation memory, ResponseCallback answer) {
        this.limit = limit;
        this.memory = memory;
        this.overflow = overflow;
        this.answer = answer;
    }

    /** Returns true if the body is being streamed to the client. */
    boolean passing() {
        return passing;
    }

    /** Returns true if the body is too large to store. */
    boolean overflown() {
        return beyond != null;
    }

    byte[] held() {
        memory.count(held.size());
        return held.toByteArray();
    }

    /** Sends the whole body to the client, after it was stored. */
    void sendTo(OutputStream out) throws IOException {
        held.writeTo(out);
        if (spool != null) {
            closeBeyond();
            try (InputStream rest = Files.newInputStream(spool)) {
                rest.transferTo(out);
            }
        }
    }

    long size() {
        try {
            if (spool != null && beyond != null) {
                beyond.flush();
                return held.size() + Files.size(spool);
            }
            return held.size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Discards what was written, except bytes already streamed to the client. */
    void forget() {
        held = new ByteArrayOutputStream(1024);
        discard();
    }

    /** Ignores further writes, as after the end of a response. */
    void end() {
        closed = true;
    }

    /** Accepts writes again, with an empty buffer. */
    void beginAgain() {
        forget();
        closed = false;
    }

    void discard() {
        if (spool != null) {
            closeBeyond();
            try {
                Files.deleteIfExists(spool);
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot delete the spooled response " + spool, e);
            }
            spool = null;
            beyond = null;
        }
    }

    private void closeBeyond() {
        try {
            if (beyond != null) {
                beyond.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Streams all further bytes to the client at once. */
    void pass() throws IOException {
        if (passing || overflow == OverflowPolicy.SPOOL) {
            return;
        }
        answer.tooLarge();
        passing = true;
        beyond = answer.client();
        toClient(held.toByteArray(), 0, held.size());
        held = new ByteArrayOutputStream(0);
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        if (closed || count == 0) {
            return;
        }
        if (!overflown() && held.size() + (long) count > limit) {
            overflow();
        }
        if (passing) {
            toClient(bytes, offset, count);
        } else if (beyond != null) {
            beyond.write(bytes, offset, count);
        } else {
            memory.count(count);
            held.write(bytes, offset, count);
        }
    }

    private void overflow() throws IOException {
        if (overflow == OverflowPolicy.PASS) {
            pass();
        } else {
            answer.tooLarge();
            spool = Files.createTempFile("refrain-answer-", ".tmp");
            beyond = Files.newOutputStream(spool);
        }
    }

    /** Writes to the client; a disconnected client is ignored and the handler goes on. */
    private void toClient(byte[] bytes, int offset, int count) {
        if (clientGone || beyond == null) {
            return;
        }
        try {
            beyond.write(bytes, offset, count);
        } catch (IOException gone) {
            clientGone = true;
        }
    }

    @Override
    public void flush() throws IOException {
        answer.flushed();
        if (passing && !clientGone && beyond != null) {
            try {
                beyond.flush();
            } catch (IOException gone) {
                clientGone = true;
            }
        }
    }

    @Override
    public void close() throws IOException {
        flush();
        closed = true;
    }

    @Override
    public boolean isReady() {
        return true;
    }

    /** Calls the listener on a thread of its own, as a container would; the buffer is always ready. */
    @Override
    public void setWriteListener(WriteListener listener) {
        Thread.startVirtualThread(() -> {
            try {
                listener.onWritePossible();
            } catch (IOException | RuntimeException e) {
                listener.onError(e);
            }
        });
    }
}
