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

    private static final int HEAD_BYTES = 16 << 10;

    /** Most connections by default: more need more files than a process may usually open. */
    public static final int MOST_CONNECTIONS = 20_000;

    /** Fewest connections by default. */
    private static final int FEWEST_CONNECTIONS = 64;

    /** Part of the heap that unfinished heads may take. */
    private static final int HEAP_SHARE = 4;

    /** Heap of an unfinished head, in bytes for each of its bytes: a text that grows has room for twice as many. */
    private static final int GROWTH = 2;

    public static final ClientConnectionLimits DEFAULT = new ClientConnectionLimits(
            Duration.ofSeconds(60),
            Duration.ofSeconds(20),
            HEAD_BYTES,
            500,
            connections(Runtime.getRuntime().maxMemory(), HEAD_BYTES));

    /** Returns how many connections there may be by default: so many that a quarter of the heap has room for as many unfinished heads. */
    public static int connections(long heap, int headBytes) {
        return Math.clamp(heap / HEAP_SHARE / (GROWTH * (long) headBytes), FEWEST_CONNECTIONS, MOST_CONNECTIONS);
    }

    /** Returns how long a client may take to send this many bytes of a body. */
    public Duration timeoutForBody(long bytes) {
        return head.plusMillis(bytes * 1000 / bytesPerSecond);
    }
}
