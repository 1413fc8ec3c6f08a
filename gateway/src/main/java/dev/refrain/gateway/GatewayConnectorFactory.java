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

/** Makes the connector on which a gateway listens, with the limits for clients that are slow, idle or too many. */
final class GatewayConnectorFactory {

    /**
     * Paths that a service may read in two ways are matched in each of them; but whether {@code %2e%2e} or {@code ..;} leave a folder
     * is read in too many.
     */
    private static final UriCompliance PATHS = UriCompliance.DEFAULT.with(
            "GATEWAY",
            UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
            UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING,
            UriCompliance.Violation.AMBIGUOUS_EMPTY_SEGMENT);

    private GatewayConnectorFactory() {}

    static ServerConnector connector(Server server, GatewayListenSettings listening) {
        var bounds = listening.bounds();
        var config = config(bounds);
        var http1 = new HttpConnectionFactory(config);
        var alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol(http1.getProtocol());
        var connector = listening
                .tls()
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
        connector.setHost(listening.host());
        connector.setPort(listening.port());
        connector.setIdleTimeout(bounds.idle().toMillis());
        var heads = new SlowHeaderGuard(connector, bounds.head());
        config.addCustomizer(heads);
        http1.addEventListener(heads.listener());
        alpn.addEventListener(heads.listener());
        connector.addBean(heads);
        IdleConnectionLimit.limit(server, connector, bounds.connections());
        return connector;
    }

    private static HttpConfiguration config(ClientConnectionLimits bounds) {
        var config = new HttpConfiguration();
        config.setSendServerVersion(false);
        config.setRequestHeaderSize(bounds.headBytes());
        config.setUriCompliance(PATHS);
        return config;
    }
}
