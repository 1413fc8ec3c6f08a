package dev.refrain.verify;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Request body whose last byte waits at a barrier: all connections are open and all but one byte are sent before any
 * request is complete, so that the requests arrive together however far away the API is.
 */
final class LastByteBarrierRequestBody extends InputStream {

    private static final long TIMEOUT_MS = 2_000;

    private final byte[] bytes;
    private final InputStream all;
    private final CyclicBarrier barrier;
    private int read;

    LastByteBarrierRequestBody(byte[] bytes, CyclicBarrier barrier) {
        this.bytes = bytes;
        this.all = new ByteArrayInputStream(bytes);
        this.barrier = barrier;
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
            awaitBarrier();
        }
        int count = all.read(into, offset, left > 1 ? Math.min(length, left - 1) : length);
        read += Math.max(count, 0);
        return count;
    }

    private void awaitBarrier() throws IOException {
        try {
            barrier.await(TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | BrokenBarrierException notAll) {
            // Some connection is slow to open: the others go on without it.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while waiting to send the requests together.", e);
        }
    }
}
