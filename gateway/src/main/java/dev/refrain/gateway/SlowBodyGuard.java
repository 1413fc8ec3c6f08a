package dev.refrain.gateway;

import dev.refrain.gateway.internal.config.ClientConnectionLimits;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.NanoTime;
import org.jspecify.annotations.Nullable;

/**
 * Request whose body must arrive at a minimum rate. Only time spent waiting for the client counts, not time in which the upstream reads
 * slowly. A client that sends nothing at all is ended by the server's idle timeout.
 */
final class SlowBodyGuard extends Request.Wrapper {

    private final ClientConnectionLimits bounds;
    private long bytes;
    private long waited;
    private long waitsSince;
    private boolean waits;
    private Content.@Nullable Chunk failure;

    private SlowBodyGuard(Request request, ClientConnectionLimits bounds) {
        super(request);
        this.bounds = bounds;
    }

    static Request of(Request request, ClientConnectionLimits bounds) {
        return bounds.bytesPerSecond() == 0 || request.getLength() == 0 ? request : new SlowBodyGuard(request, bounds);
    }

    /** Failure of a request whose body arrived too slowly. */
    static final class SlowBodyException extends TimeoutException {
        private static final long serialVersionUID = 1L;

        SlowBodyException(long bytes) {
            super("The request body arrived too slowly: " + bytes + " bytes within its time limit.");
        }
    }

    @Override
    public void demand(Runnable whenThereIsSome) {
        waits = true;
        waitsSince = NanoTime.now();
        super.demand(whenThereIsSome);
    }

    @Override
    public Content.@Nullable Chunk read() {
        if (failure != null) {
            return failure;
        }
        var chunk = super.read();
        if (chunk == null) {
            return null;
        }
        if (waits) {
            waits = false;
            waited += NanoTime.since(waitsSince);
        }
        bytes += chunk.remaining();
        if (chunk.isLast() || waited <= bounds.timeoutForBody(bytes).toNanos()) {
            return chunk;
        }
        chunk.release();
        var slow = new SlowBodyException(bytes);
        failure = Content.Chunk.from(slow);
        fail(slow);
        return failure;
    }
}
