package dev.refrain.gateway.config;

import dev.refrain.gateway.IdleConnectionLimit;
import dev.refrain.gateway.SlowHeaderGuard;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * Where the gateway listens: HTTP/1.1 and HTTP/2 on one port, in clear or over TLS.
 *
 * @param drain how long requests under way may take to finish when the gateway is stopped
 */
public record GatewayListenSettings(
        String host, int port, ClientConnectionLimits bounds, Duration drain, Optional<SslContextFactory.Server> tls) {

    public static GatewayListenSettings on(String host, int port) {
        return new GatewayListenSettings(
                host, port, ClientConnectionLimits.DEFAULT, Duration.ofSeconds(35), Optional.empty());
    }

    /**
     * Paths that a service may read in two ways are matched in each of them; but whether {@code %2e%2e} or {@code ..;} leave a folder
     * is read in too many.
     */
    private static final UriCompliance PATHS = UriCompliance.DEFAULT.with(
            "GATEWAY",
            UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
            UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING,
            UriCompliance.Violation.AMBIGUOUS_EMPTY_SEGMENT);

    public List<Connector> connectors(Server server) {
        var config = config();
        var http1 = new HttpConnectionFactory(config);
        var alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol(http1.getProtocol());
        var connector = tls.map(context -> {
                    config.addCustomizer(new SecureRequestCustomizer(false));
                    return new ServerConnector(
                            server,
                            new SslConnectionFactory(context, alpn.getProtocol()),
                            alpn,
                            new HTTP2ServerConnectionFactory(config),
                            http1);
                })
                .orElseGet(() -> new ServerConnector(server, http1, new HTTP2CServerConnectionFactory(config)));
        connector.setHost(host);
        connector.setPort(port);
        connector.setIdleTimeout(bounds.idle().toMillis());
        var heads = new SlowHeaderGuard(connector, bounds.head());
        config.addCustomizer(heads);
        http1.addEventListener(heads.listener());
        alpn.addEventListener(heads.listener());
        connector.addBean(heads);
        IdleConnectionLimit.limit(server, connector, bounds.connections());
        return List.of(connector);
    }

    private HttpConfiguration config() {
        var config = new HttpConfiguration();
        config.setSendServerVersion(false);
        config.setRequestHeaderSize(bounds.headBytes());
        config.setUriCompliance(PATHS);
        return config;
    }
}
