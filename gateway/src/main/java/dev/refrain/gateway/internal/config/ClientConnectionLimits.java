package dev.refrain.gateway.internal.config;

import java.time.Duration;

/**
 * Limits for client connections.
 *
 * @param idle how long a connection may be idle, between requests and within one
 * @param head how long the head of a request may take, however it comes
 * @param headBytes the largest head of a request
 * @param bytesPerSecond how fast a body has to come, once it has taken as long as a head may; 0 for any pace
 * @param connections maximum number of connections; near it idle ones are closed
 */
public record ClientConnectionLimits(Duration idle, Duration head, int headBytes, int bytesPerSecond, int connections) {

    public static final ClientConnectionLimits DEFAULT =
            new ClientConnectionLimits(Duration.ofSeconds(60), Duration.ofSeconds(20), 16 << 10, 500, 20_000);

    /** Returns how long a client may take to send this many bytes of a body. */
    public Duration timeoutForBody(long bytes) {
        return head.plusMillis(bytes * 1000 / bytesPerSecond);
    }
}
