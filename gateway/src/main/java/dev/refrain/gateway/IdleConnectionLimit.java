package dev.refrain.gateway;

import java.util.List;
import org.eclipse.jetty.server.LowResourceMonitor;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Limits client connections: closes idle ones near the limit, rejects new ones at it. */
final class IdleConnectionLimit {

    private static final int IDLE_MILLIS = 1_000;
    private static final int CHECK_MILLIS = 500;

    /** Length of the accept queue, so that a burst of new connections waits instead of being refused. */
    private static final int ACCEPT_QUEUE = 4_096;

    private IdleConnectionLimit() {}

    static void limit(Server server, ServerConnector connector, int maxConnections) {
        connector.setAcceptQueueSize(ACCEPT_QUEUE);
        server.addBean(new NetworkConnectionLimit(maxConnections, connector));
        var monitor = new LowResourceMonitor(server);
        monitor.setMonitoredConnectors(List.of(connector));
        monitor.setMonitorThreads(false);
        monitor.addLowResourceCheck(
                monitor.new MaxConnectionsLowResourceCheck(maxConnections - maxConnections / 10 - 1));
        monitor.setPeriod(CHECK_MILLIS);
        monitor.setLowResourcesIdleTimeout(IDLE_MILLIS);
        // Applies the shorter idle timeout to connections opened since, too.
        monitor.setMaxLowResourcesTime(CHECK_MILLIS);
        server.addBean(monitor);
    }
}
