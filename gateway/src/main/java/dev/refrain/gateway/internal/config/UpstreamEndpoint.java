package dev.refrain.gateway.internal.config;

import java.net.URI;
import java.time.Duration;

/**
 * Address of the upstream and its idle timeout.
 *
 * @param preservesHost whether it receives the Host header of the client instead of its own name
 * @param idle how long an unprotected request may be idle before it times out
 */
public record UpstreamEndpoint(URI address, boolean preservesHost, Duration idle) {

    private static final Duration IDLE = Duration.ofMinutes(5);

    public UpstreamEndpoint {
        String scheme = String.valueOf(address.getScheme());
        if (!(scheme.equals("http") || scheme.equals("https")) || address.getHost() == null) {
            throw new IllegalArgumentException(
                    "upstream is '" + address + "', but may be an address such as http://localhost:3000.");
        }
        if (address.getRawQuery() != null || address.getRawFragment() != null || address.getRawUserInfo() != null) {
            throw new IllegalArgumentException("upstream is '" + address
                    + "', but may have no user, no query and no fragment: http://localhost:3000/base.");
        }
    }

    public static UpstreamEndpoint of(String address) {
        try {
            return new UpstreamEndpoint(URI.create(address), true, IDLE);
        } catch (IllegalArgumentException e) {
            throw String.valueOf(e.getMessage()).startsWith("upstream")
                    ? e
                    : new IllegalArgumentException(
                            "upstream is '" + address + "', but may be an address such as http://localhost:3000.", e);
        }
    }

    public String scheme() {
        return address.getScheme();
    }

    public String host() {
        return address.getHost();
    }

    public int port() {
        return address.getPort() > 0 ? address.getPort() : scheme().equals("https") ? 443 : 80;
    }

    /** Returns scheme, host and port. */
    public String origin() {
        return scheme() + "://" + host() + ":" + port();
    }

    /** Returns the path prefix, without a slash at its end. */
    public String base() {
        String path = address.getRawPath();
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
