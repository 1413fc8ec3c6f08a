package dev.refrain.store.redis;

import io.lettuce.core.RedisURI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Settings of a {@link ReplayCachingStore}, as its URL says them.
 *
 * @param prefix what the names of all keys begin with; one for each database
 * @param timeout how long a caller waits for the server at the most
 * @param maxAge how long an entry is replayed at the most
 * @param secret authenticates the entries; without one they have only a checksum
 */
record ReplayCacheSettings(
        List<RedisURI> uris, String prefix, Duration timeout, Duration maxAge, Optional<byte[]> secret) {

    /** A shorter life is not worth an entry, and clocks of instances may differ by this much. */
    static final Duration LEAST_AGE = Duration.ofMinutes(1);

    private static final String SUBJECT = "replay cache";
    private static final List<String> PARAMETERS = List.of("key-prefix", "timeout", "max-age", "secret");
    private static final Duration DEFAULT_TIMEOUT = Duration.ofMillis(10);
    private static final Duration DEFAULT_AGE = Duration.ofMinutes(10);
    private static final Duration MOST_AGE = Duration.ofHours(24);
    private static final int LEAST_SECRET = 32;

    /**
     * Reads a URL.
     *
     * @throws IllegalArgumentException if it cannot be read, or lacks the prefix
     */
    static ReplayCacheSettings of(String text) {
        var url = RedisUrl.read(SUBJECT, text, PARAMETERS);
        if (!url.has("key-prefix")) {
            throw new IllegalArgumentException(
                    "The URL of the replay cache has no key-prefix. Add ?key-prefix=NAME, another name for each database: two databases"
                            + " with one name would answer each other's requests.");
        }
        var timeout = url.time("timeout", DEFAULT_TIMEOUT);
        var maxAge = url.time("max-age", DEFAULT_AGE);
        if (!timeout.isPositive() || maxAge.compareTo(LEAST_AGE) < 0 || maxAge.compareTo(MOST_AGE) > 0) {
            throw new IllegalArgumentException(
                    "The URL of the replay cache must have a timeout of 1 ms or more and a max-age from 1 m to 24 h.");
        }
        if (url.has("secret") && url.text("secret").length() < LEAST_SECRET) {
            throw new IllegalArgumentException("The secret in the URL of the replay cache has fewer than "
                    + LEAST_SECRET + " characters. Make one with: openssl rand -hex 32");
        }
        return new ReplayCacheSettings(
                url.uris(),
                RedisUrl.requirePrefix(url.text("key-prefix")),
                timeout,
                maxAge,
                Optional.of(url.text("secret"))
                        .filter(said -> !said.isEmpty())
                        .map(said -> said.getBytes(StandardCharsets.UTF_8)));
    }

    /** Shows no secret. */
    @Override
    public String toString() {
        return "ReplayCacheSettings[" + prefix + "]";
    }
}
