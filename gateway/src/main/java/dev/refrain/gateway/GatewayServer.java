package dev.refrain.gateway;

import dev.refrain.Refrain;
import dev.refrain.api.DurationText;
import dev.refrain.gateway.internal.config.GatewayListenSettings;
import dev.refrain.gateway.internal.config.ReloadableGatewayConfig;
import dev.refrain.gateway.internal.config.UpstreamConnectionSettings;
import dev.refrain.http.contract.PublishedRouteContract;
import dev.refrain.http.edge.BufferBudget;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.server.NetworkConnector;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.component.Graceful;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;

/**
 * Server for clients, with the connections to the upstream and the current rules. Rules can be replaced while requests are under way; each
 * request keeps those it began with. Thread-safe.
 */
final class GatewayServer implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(GatewayServer.class.getName());

    private final Refrain refrain;
    private final AtomicReference<GatewayRuleSet> rules;
    private final Server server;
    private final RequestsUnderWay underWay = new RequestsUnderWay();

    private GatewayServer(
            Refrain refrain,
            GatewayRuleSet first,
            GatewayListenSettings listening,
            UpstreamConnectionSettings limits,
            RequestLog log,
            GatewayTracer traces,
            BufferBudget budget) {
        this.refrain = refrain;
        this.rules = new AtomicReference<>(first);
        var threads = new QueuedThreadPool();
        threads.setName("gateway");
        threads.setVirtualThreadsExecutor(VirtualThreads.getNamedVirtualThreadsExecutor("gateway-"));
        this.server = new Server(threads, new ScheduledExecutorScheduler(), new ExitOnOutOfDirectMemory.BufferPool());
        GatewayConnectors.addTo(server, listening, limits.headerBytes());
        var proxy = new UpstreamProxy(limits, listening.bounds().headBytes(), traces);
        server.setHandler(new GracefulHandler(new GatewayHandler(
                rules::get,
                proxy,
                new WebSocketUpgradeProxy(proxy, limits),
                listening.bounds(),
                traces,
                budget,
                underWay)));
        server.setStopTimeout(listening.drain().toMillis());
        server.setRequestLog(log);
        server.setErrorHandler(new GatewayErrorHandler());
    }

    /**
     * @param budget the memory for bodies
     * @throws Exception if a port is taken, or a certificate cannot be read
     */
    public static GatewayServer start(
            Refrain refrain,
            ReloadableGatewayConfig policies,
            GatewayListenSettings listening,
            UpstreamConnectionSettings limits,
            RequestLog log,
            BufferBudget budget)
            throws Exception {
        return start(refrain, policies, listening, limits, log, GatewayTracer.off(), budget);
    }

    static GatewayServer start(
            Refrain refrain,
            ReloadableGatewayConfig policies,
            GatewayListenSettings listening,
            UpstreamConnectionSettings limits,
            RequestLog log,
            GatewayTracer traces,
            BufferBudget budget)
            throws Exception {
        var gateway = new GatewayServer(
                refrain, new GatewayRuleSet(refrain, policies), listening, limits, log, traces, budget);
        try {
            gateway.server.start();
        } catch (Exception | Error failed) {
            gateway.server.stop();
            throw failed;
        }
        return gateway;
    }

    /** Applies these settings to requests that arrive from now on; those under way keep theirs. */
    public void reload(ReloadableGatewayConfig policies) {
        rules.set(new GatewayRuleSet(refrain, policies));
    }

    /** Returns the contract that is published now. */
    PublishedRouteContract contract() {
        return rules.get().contract();
    }

    public int port() {
        return ((NetworkConnector) server.getConnectors()[0]).getLocalPort();
    }

    /** Refuses new requests and lets those under way finish within the drain time. */
    @Override
    public void close() throws Exception {
        try {
            Graceful.shutdown(server).get(server.getStopTimeout(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException notAll) {
            // Named before the stop breaks them off.
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Not finished within gateway.drain (" + DurationText.of(Duration.ofMillis(server.getStopTimeout()))
                            + "): " + underWay
                            + ". What was sent to the upstream and is not answered is settled after its lease.");
        } finally {
            stop();
        }
    }

    private void stop() throws Exception {
        try {
            // The time to finish is over.
            server.setStopTimeout(1);
            server.stop();
        } catch (TimeoutException notAll) {
            // Those were named.
        }
    }
}
