package dev.refrain.gateway;

import dev.refrain.gateway.config.ClientConnectionLimits;
import dev.refrain.gateway.config.GatewayListenSettings;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
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

    private GatewayConnectors() {}

    /** Adds a connector with these settings to the server, with its guards against slow headers and idle connections. */
    static void addTo(Server server, GatewayListenSettings settings) {
        var bounds = settings.bounds();
        var config = config(bounds);
        var http1 = new HttpConnectionFactory(config);
        var alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol(http1.getProtocol());
        var connector = settings.tls()
                .map(context -> {
                    config.addCustomizer(new SecureRequestCustomizer(false));
                    return new ServerConnector(
                            server,
                            new SslConnectionFactory(context, alpn.getProtocol()),
                            alpn,
                            new HTTP2ServerConnectionFactory(config),
                            http1);
                })
                .orElseGet(() -> new ServerConnector(server, http1, new HTTP2CServerConnectionFactory(config)));
        connector.setHost(settings.host());
        connector.setPort(settings.port());
        connector.setIdleTimeout(bounds.idle().toMillis());
        var headers = new SlowHeaderGuard(connector, bounds.head());
        config.addCustomizer(headers);
        http1.addEventListener(headers.listener());
        alpn.addEventListener(headers.listener());
        connector.addBean(headers);
        IdleConnectionLimit.limit(server, connector, bounds.connections());
        server.addConnector(connector);
    }

    private static HttpConfiguration config(ClientConnectionLimits bounds) {
        var config = new HttpConfiguration();
        config.setSendServerVersion(false);
        config.setRequestHeaderSize(bounds.headBytes());
        config.setUriCompliance(PATHS);
        return config;
    }
}
