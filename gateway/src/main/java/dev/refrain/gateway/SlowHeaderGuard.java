package dev.refrain.gateway;

import dev.refrain.http.edge.ProblemResponses;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.NanoTime;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Closes connections whose clients take too long to send a request header or to finish a TLS handshake. The server's own idle timeout
 * restarts with each byte, so a client that trickles bytes would stay for ever.
 *
 * <p>A scan at a fixed interval compares byte counts: bytes that arrived while no request was under way begin a new header.
 */
final class SlowHeaderGuard extends AbstractLifeCycle implements HttpConfiguration.Customizer {

    private static final long MAX_SCAN_MILLIS = 500;
    private static final int SCANS_PER_TIMEOUT = 4;

    private final ServerConnector connector;
    private final Duration timeout;
    private final Map<Connection, HeaderProgress> connections = new ConcurrentHashMap<>();
    private volatile Scheduler.@Nullable Task next;

    SlowHeaderGuard(ServerConnector connector, Duration timeout) {
        this.connector = connector;
        this.timeout = timeout;
    }

    /** Progress of one connection. The last three fields belong to the scan alone. */
    private static final class HeaderProgress {
        private final AtomicInteger underWay = new AtomicInteger();
        private final AtomicInteger done = new AtomicInteger();
        private int doneBefore;
        private long bytesBefore;
        private long begunAt;

        private HeaderProgress(long begunAt) {
            this.begunAt = begunAt;
        }
    }

    private static final long NOT_BEGUN = Long.MIN_VALUE;

    /**
     * Returns the listener that registers connections to watch: HTTP/1.1 and TLS handshakes, because headers of HTTP/2 cannot be seen here.
     */
    Connection.Listener listener() {
        return new Connection.Listener() {
            @Override
            public void onOpened(Connection connection) {
                // One that counts no bytes is shaking hands, and has begun.
                connections.put(
                        connection, new HeaderProgress(connection.getBytesIn() < 0 ? NanoTime.now() : NOT_BEGUN));
            }

            @Override
            public void onClosed(Connection connection) {
                connections.remove(connection);
            }
        };
    }

    @Override
    public Request customize(Request request, HttpFields.Mutable answered) {
        var head = connections.get(request.getConnectionMetaData().getConnection());
        if (head != null) {
            head.underWay.incrementAndGet();
            Request.addCompletionListener(request, failure -> {
                head.done.incrementAndGet();
                head.underWay.decrementAndGet();
            });
        }
        return request;
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        scheduleScan();
    }

    @Override
    protected void doStop() throws Exception {
        var task = next;
        if (task != null) {
            task.cancel();
        }
        super.doStop();
    }

    private void scheduleScan() {
        long millis = Math.clamp(timeout.toMillis() / SCANS_PER_TIMEOUT, 1, MAX_SCAN_MILLIS);
        next = connector.getScheduler().schedule(this::scan, millis, TimeUnit.MILLISECONDS);
    }

    private void scan() {
        try {
            connections.forEach((connection, head) -> {
                if (isLate(connection.getBytesIn(), head)) {
                    connections.remove(connection);
                    end(connection);
                }
            });
        } finally {
            if (isRunning()) {
                scheduleScan();
            }
        }
    }

    private boolean isLate(long bytes, HeaderProgress head) {
        int done = head.done.get();
        if (head.underWay.get() > 0 || done != head.doneBefore) {
            head.begunAt = NOT_BEGUN;
        } else if (bytes > head.bytesBefore && head.begunAt == NOT_BEGUN) {
            head.begunAt = NanoTime.now();
        }
        head.doneBefore = done;
        head.bytesBefore = bytes;
        return head.begunAt != NOT_BEGUN && NanoTime.since(head.begunAt) > timeout.toNanos();
    }

    private static void end(Connection connection) {
        var endPoint = connection.getEndPoint();
        if (connection.getBytesIn() < 0) {
            endPoint.close();
            return;
        }
        endPoint.write(Callback.from(endPoint::close, endPoint::close), refusal());
    }

    private static ByteBuffer refusal() {
        String body = "{\"type\":\"about:blank\",\"title\":\"Request Timeout\",\"status\":408}";
        return ByteBuffer.wrap(("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Type: "
                        + ProblemResponses.MEDIA_TYPE + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII));
    }
}
