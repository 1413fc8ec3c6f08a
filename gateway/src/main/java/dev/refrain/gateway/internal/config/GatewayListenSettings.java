package dev.refrain.gateway.internal.config;

import java.time.Duration;
import java.util.Optional;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * Address and limits of the port that clients use: HTTP/1.1 and HTTP/2, in clear or over TLS.
 *
 * @param drain how long requests under way may take to finish when the gateway is stopped
 */
public record GatewayListenSettings(
        String host, int port, ClientConnectionLimits bounds, Duration drain, Optional<SslContextFactory.Server> tls) {

    public static GatewayListenSettings on(String host, int port) {
        return new GatewayListenSettings(
                host, port, ClientConnectionLimits.DEFAULT, Duration.ofSeconds(35), Optional.empty());
    }
}
