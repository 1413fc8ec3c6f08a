package dev.refrain.verify;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A body whose last byte waits for the others: all connections are open and all but one byte is sent before any request is whole, so
 * that they arrive together, however far away the API is.
 */
final class LastByteBarrierStream extends InputStream {

    private static final long PATIENCE_MS = 2_000;

    private final byte[] bytes;
    private final InputStream all;
    private final CyclicBarrier together;
    private int read;

    LastByteBarrierStream(byte[] bytes, CyclicBarrier together) {
        this.bytes = bytes;
        this.all = new ByteArrayInputStream(bytes);
        this.together = together;
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int left = bytes.length - read;
        if (left == 1) {
            meet();
        }
        int count = all.read(into, offset, left > 1 ? Math.min(length, left - 1) : length);
        read += Math.max(count, 0);
        return count;
    }

    private void meet() throws IOException {
        try {
            together.await(PATIENCE_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | BrokenBarrierException notAll) {
            // Some connection is slow to open: the rest goes on without it, less at once but still together.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while waiting to send together.", e);
        }
    }
}
