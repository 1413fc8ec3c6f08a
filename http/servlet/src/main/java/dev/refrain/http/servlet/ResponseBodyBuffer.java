package dev.refrain.http.servlet;

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
 * Where a handler's body goes before anyone may see it: memory, and beyond a size what {@link OverflowPolicy} says. Not thread-safe,
 * like the stream it stands for.
 */
final class ResponseBodyBuffer extends ServletOutputStream {

    /** What becomes of a body that is too large to be kept. */
    enum OverflowPolicy {
        /** It goes to the client as it comes, from its first byte on. */
        PASS,
        /** It is held in a file until the end: nothing may be seen before the commit. */
        SPOOL
    }

    /** Whose body it is. */
    interface ResponseCallback {

        /** Told once, before the first byte passes or is spooled. */
        void tooLarge();

        /** Told of every flush, which commits an answer. */
        void flushed() throws IOException;

        /** The client's own stream. */
        OutputStream client() throws IOException;
    }

    private final int limit;
    private final OverflowPolicy overflow;
    private final ResponseCallback answer;
    private ByteArrayOutputStream held = new ByteArrayOutputStream(1024);
    private @Nullable OutputStream beyond;
    private @Nullable Path spool;
    private boolean passing;
    private boolean clientGone;
    private boolean closed;

    ResponseBodyBuffer(int limit, OverflowPolicy overflow, ResponseCallback answer) {
        this.limit = limit;
        this.overflow = overflow;
        this.answer = answer;
    }

    /** Whether the client is being sent this body already. */
    boolean passing() {
        return passing;
    }

    /** Whether it outgrew what is kept. */
    boolean overflown() {
        return beyond != null;
    }

    byte[] held() {
        return held.toByteArray();
    }

    /** All of it, to the client, after it was stored. */
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

    /** Forgets what was written; cannot take back what has passed. */
    void forget() {
        held = new ByteArrayOutputStream(1024);
        discard();
    }

    /** No more is taken, as after the end of an answer. */
    void end() {
        closed = true;
    }

    /** Taken again, from nothing. */
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
                throw new UncheckedIOException("A spooled answer could not be removed: " + spool, e);
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

    /** From now on bytes go to the client at once. */
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

    /** A client that hangs up changes nothing: the handler goes on. */
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

    /** Memory is always ready: the listener is called at once, on a thread of its own as a container would. */
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
