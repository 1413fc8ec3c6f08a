package dev.refrain.gateway;

import dev.refrain.gateway.internal.config.ClientConnectionLimits;
import dev.refrain.gateway.internal.config.GatewayListenSettings;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.AbstractHTTP2ServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;

/** Opens the port that clients use: HTTP/1.1 and HTTP/2 on one port, in clear or over TLS. */
final class GatewayConnectors {

    /**
     * Paths that services read in two ways are allowed, because routes are matched in both. {@code %2e%2e} and {@code ..;} are refused:
     * services disagree in more ways about whether they leave a folder.
     */
    private static final UriCompliance PATHS = UriCompliance.DEFAULT.with(
            "GATEWAY",
            UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
            UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING,
            UriCompliance.Violation.AMBIGUOUS_EMPTY_SEGMENT);

    private static final int ADDED_HEADER_BYTES = 4 << 10;

    /** The least that HTTP/2 allows. */
    private static final int UNREAD_BYTES = (1 << 16) - 1;

    /** Half of it, so that one request whose body nobody reads does not stop the others of its connection. */
    private static final int UNREAD_BYTES_OF_A_STREAM = 1 << 15;

    private GatewayConnectors() {}

    /**
     * Adds a connector with these settings to the server, with its guards against slow headers and idle connections.
     *
     * @param responseHeadBytes the largest head that the service may send
     */
    static void addTo(Server server, GatewayListenSettings settings, int responseHeadBytes) {
        var bounds = settings.bounds();
        var config = config(bounds, responseHeadBytes);
        var http1 = new HttpConnectionFactory(config);
        var alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol(http1.getProtocol());
        var connector = settings.tls()
                .map(context -> {
                    config.addCustomizer(new SecureRequestCustomizer(false));
                    return new GuardedConnector(
                            server,
                            new SslConnectionFactory(context, alpn.getProtocol()),
                            alpn,
                            bounded(new HTTP2ServerConnectionFactory(config)),
                            http1);
                })
                .orElseGet(
                        () -> new GuardedConnector(server, http1, bounded(new HTTP2CServerConnectionFactory(config))));
        connector.setHost(settings.host());
        connector.setPort(settings.port());
        connector.setIdleTimeout(bounds.idle().toMillis());
        var headers = new SlowHeaderGuard(connector, bounds.head());
        config.addCustomizer(headers);
        http1.addEventListener(headers.listener());
        alpn.addEventListener(headers.listener());
        connector.addBean(headers);
        var shares = new AddressConnectionLimit(bounds.connections());
        config.addCustomizer(shares);
        connector.addEventListener(shares);
        IdleConnectionLimit.limit(server, connector, bounds.connections());
        server.addConnector(connector);
    }

    /** Bounds what a client may have sent that nobody has read: no budget counts it, because it is no body yet that anybody wants. */
    private static ConnectionFactory bounded(AbstractHTTP2ServerConnectionFactory http2) {
        http2.setInitialSessionRecvWindow(UNREAD_BYTES);
        http2.setInitialStreamRecvWindow(UNREAD_BYTES_OF_A_STREAM);
        return http2;
    }

    /** Connector whose sockets end the process if there is no direct memory for them. */
    private static final class GuardedConnector extends ServerConnector {

        GuardedConnector(Server server, ConnectionFactory... protocols) {
            super(server, protocols);
        }

        @Override
        protected SocketChannelEndPoint newEndPoint(SocketChannel channel, ManagedSelector selector, SelectionKey key) {
            var socket = new ExitOnOutOfDirectMemory.GuardedSocket(channel, selector, key, getScheduler());
            socket.setIdleTimeout(getIdleTimeout());
            return socket;
        }
    }

    private static HttpConfiguration config(ClientConnectionLimits bounds, int responseHeadBytes) {
        var config = new HttpConfiguration();
        config.setSendServerVersion(false);
        config.setRequestHeaderSize(bounds.headBytes());
        // One size for all heads: if Jetty has to take a larger buffer for one, it forgets that the connection is to be
        // closed.
        config.setMaxResponseHeaderSize(responseHeadBytes + ADDED_HEADER_BYTES);
        config.setResponseHeaderSize(responseHeadBytes + ADDED_HEADER_BYTES);
        config.setUriCompliance(PATHS);
        return config;
    }
}
