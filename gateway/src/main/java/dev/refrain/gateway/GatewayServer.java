package dev.refrain.gateway;

import dev.refrain.Refrain;
import dev.refrain.gateway.config.GatewayListenSettings;
import dev.refrain.gateway.config.ReloadableGatewayConfig;
import dev.refrain.gateway.config.UpstreamConnectionSettings;
import dev.refrain.http.contract.PublishedRouteContract;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.server.NetworkConnector;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * A running gateway: a server in front, connections to the service behind, and in between the rules, which may be exchanged while
 * requests are under way. Each request goes by those that it found. Thread-safe.
 */
public final class GatewayServer implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(GatewayServer.class.getName());

    private final Refrain refrain;
    private final AtomicReference<GatewayRuleSet> rules;
    private final Server server;

    private GatewayServer(
            Refrain refrain,
            GatewayRuleSet first,
            GatewayListenSettings listening,
            UpstreamConnectionSettings limits,
            RequestLog log,
            GatewayTracer traces) {
        this.refrain = refrain;
        this.rules = new AtomicReference<>(first);
        var threads = new QueuedThreadPool();
        threads.setName("gateway");
        threads.setVirtualThreadsExecutor(VirtualThreads.getNamedVirtualThreadsExecutor("gateway-"));
        this.server = new Server(threads);
        server.addConnector(GatewayConnectorFactory.connector(server, listening));
        var proxy = new UpstreamProxy(limits, traces);
        server.setHandler(new GracefulHandler(new GatewayHandler(
                rules::get, proxy, new WebSocketUpgradeProxy(proxy, limits), listening.bounds(), traces)));
        server.setStopTimeout(listening.drain().toMillis());
        server.setRequestLog(log);
        server.setErrorHandler(new GatewayErrorHandler());
    }

    /** @throws Exception if a port is taken, or a certificate cannot be read */
    public static GatewayServer start(
            Refrain refrain,
            ReloadableGatewayConfig policies,
            GatewayListenSettings listening,
            UpstreamConnectionSettings limits,
            RequestLog log)
            throws Exception {
        return start(refrain, policies, listening, limits, log, GatewayTracer.off());
    }

    static GatewayServer start(
            Refrain refrain,
            ReloadableGatewayConfig policies,
            GatewayListenSettings listening,
            UpstreamConnectionSettings limits,
            RequestLog log,
            GatewayTracer traces)
            throws Exception {
        var gateway = new GatewayServer(refrain, new GatewayRuleSet(refrain, policies), listening, limits, log, traces);
        try {
            gateway.server.start();
        } catch (Exception | Error failed) {
            gateway.server.stop();
            throw failed;
        }
        return gateway;
    }

    /** For the requests that follow; those under way go by what held when they came. */
    public void reload(ReloadableGatewayConfig policies) {
        rules.set(new GatewayRuleSet(refrain, policies));
    }

    /** What clients are told now. */
    PublishedRouteContract contract() {
        return rules.get().contract();
    }

    public int port() {
        return ((NetworkConnector) server.getConnectors()[0]).getLocalPort();
    }

    /** Takes nothing new, and lets what is under way finish within the time to drain. */
    @Override
    public void close() throws Exception {
        try {
            server.stop();
        } catch (TimeoutException notAll) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Some requests did not finish in the time to drain. What they had sent to the service behind is settled after its lease.");
        }
    }
}
