package dev.refrain.gateway.internal.config;

import java.time.Duration;
import java.util.Optional;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * Limits and timeouts of the connections to the upstream.
 *
 *
 * @param keepAlive for how long an unused connection is kept. It should be less than the service's own time: a request that is sent on a
 *     connection which the service is just closing has an unknown outcome
 * @param queued how many requests may wait for a connection
 * @param headerBytes the largest head of a response
 * @param tls what is trusted, if that is not what the machine trusts
 */
public record UpstreamConnectionSettings(
        Duration connect,
        Duration keepAlive,
        int connections,
        int queued,
        int headerBytes,
        Optional<SslContextFactory.Client> tls) {

    /** Defaults. Idle connections are closed after 4 s, because Node closes them after 5 s, sooner than other common servers. */
    public static final UpstreamConnectionSettings DEFAULT = new UpstreamConnectionSettings(
            Duration.ofSeconds(5), Duration.ofSeconds(4), 256, 4096, 60 << 10, Optional.empty());
}
