package dev.refrain.verify;

import java.net.URI;
import java.util.List;

/**
 * The API and route to test. Immutable.
 *
 * @param base scheme, host, port, and the path that all of the API is below, if any
 * @param headers sent with every request; their values are never printed
 * @param keyHeader the header that carries the key
 */
public record ApiUnderTest(URI base, VerifiedRoute route, List<OutgoingHeader> headers, String keyHeader) {

    public static final String KEY_HEADER = "Idempotency-Key";

    public ApiUnderTest {
        headers = List.copyOf(headers);
        String scheme = base.getScheme();
        if (base.getHost() == null || !("http".equals(scheme) || "https".equals(scheme))) {
            throw new InvalidVerifySettingsException(
                    "'" + base.getScheme() + ":…' is not the URL of an API: use http://host:port or https://host.");
        }
        if (base.getUserInfo() != null) {
            throw new InvalidVerifySettingsException(
                    "The URL contains a user name, which would be printed. Use --header 'Authorization: Basic …' instead.");
        }
        if (base.getQuery() != null || base.getFragment() != null) {
            throw new InvalidVerifySettingsException("The URL has a query or a fragment. Put the query into --route.");
        }
    }

    /** Returns whether the API runs on this machine, so that no one else's data can change. */
    public boolean isLocal() {
        String host = base.getHost();
        return host.equalsIgnoreCase("localhost") || host.startsWith("127.") || host.equals("[::1]");
    }

    boolean has(String header) {
        return headers.stream().anyMatch(each -> each.is(header));
    }
}
