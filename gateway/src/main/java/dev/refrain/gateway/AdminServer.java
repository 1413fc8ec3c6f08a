package dev.refrain.gateway;

import dev.refrain.ClaimHealthCheck;
import dev.refrain.api.RefrainException;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Server of the admin port: {@code /live}, {@code /ready} and {@code /metrics}. */
final class AdminServer implements AutoCloseable {

    private final Server server;
    private final ServerConnector connector;
    private volatile boolean draining;

    AdminServer(String host, int port, ClaimHealthCheck probe, PrometheusMeterRegistry meters) {
        var threads = new QueuedThreadPool(8, 2);
        threads.setName("gateway-admin");
        threads.setVirtualThreadsExecutor(VirtualThreads.getNamedVirtualThreadsExecutor("gateway-admin-"));
        server = new Server(threads);
        connector = new ServerConnector(server, 1, 1);
        connector.setHost(host);
        connector.setPort(port);
        server.addConnector(connector);
        server.setHandler(new AdminHandler(probe, meters));
    }

    AdminServer start() throws Exception {
        server.start();
        return this;
    }

    int port() {
        return connector.getLocalPort();
    }

    /** Reports not ready from now on, so that load balancers send no more requests. */
    void drain() {
        draining = true;
    }

    @Override
    public void close() throws Exception {
        server.stop();
    }

    private final class AdminHandler extends Handler.Abstract {
        private final ClaimHealthCheck probe;
        private final PrometheusMeterRegistry meters;

        AdminHandler(ClaimHealthCheck probe, PrometheusMeterRegistry meters) {
            this.probe = probe;
            this.meters = meters;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            switch (Request.getPathInContext(request)) {
                case "/live" -> text(response, callback, HttpStatus.OK_200, "live\n");
                case "/ready" -> ready(response, callback);
                case "/metrics" -> {
                    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8");
                    text(response, callback, HttpStatus.OK_200, meters.scrape());
                }
                default -> {
                    return false;
                }
            }
            return true;
        }

        private void ready(Response response, Callback callback) {
            if (draining) {
                text(response, callback, HttpStatus.SERVICE_UNAVAILABLE_503, "stopping\n");
                return;
            }
            try {
                probe.checkClaims();
                text(response, callback, HttpStatus.OK_200, "ready\n");
            } catch (RefrainException away) {
                text(response, callback, HttpStatus.SERVICE_UNAVAILABLE_503, "the store is unavailable\n");
            }
        }

        private static void text(Response response, Callback callback, int status, String text) {
            response.setStatus(status);
            response.write(true, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), callback);
        }
    }
}
