package dev.refrain.verify;

import java.net.URI;
import java.util.List;

/**
 * Where requests go.
 *
 * @param base scheme, host, port, and a path if all of the API is below one
 * @param headers that go with every request; their values are never shown
 * @param keyHeader the header that the key is in
 */
public record ApiUnderTest(URI base, ApiRoute route, List<VerifyHeader> headers, String keyHeader) {

    public static final String KEY_HEADER = "Idempotency-Key";

    public ApiUnderTest {
        headers = List.copyOf(headers);
        String scheme = base.getScheme();
        if (base.getHost() == null || !("http".equals(scheme) || "https".equals(scheme))) {
            throw new InvalidVerifySettingsException(
                    "'" + base.getScheme() + ":…' is no address of an API: say http://host:port or https://host.");
        }
        if (base.getUserInfo() != null) {
            throw new InvalidVerifySettingsException(
                    "The address has a user in it, which would be shown: give --header 'Authorization: Basic …'.");
        }
        if (base.getQuery() != null || base.getFragment() != null) {
            throw new InvalidVerifySettingsException(
                    "The address has a query or a fragment; the route is where a query goes.");
        }
    }

    /** Whether it is on this machine, where nothing of anybody else is changed. */
    public boolean isLocal() {
        String host = base.getHost();
        return host.equalsIgnoreCase("localhost") || host.startsWith("127.") || host.equals("[::1]");
    }

    boolean has(String header) {
        return headers.stream().anyMatch(each -> each.is(header));
    }
}
