package dev.refrain.gateway.internal.config;
/** Host and port to listen on. */
public record ListenAddress(String host, int port) {

    /** Parses a port, or a host and a port such as {@code 0.0.0.0:8080}. */
    static ListenAddress of(String setting, String word, String host) {
        int colon = word.lastIndexOf(':');
        try {
            int port = Integer.parseInt(word.substring(colon + 1).strip());
            if (port >= 0 && port <= 65535) {
                return new ListenAddress(
                        colon < 0 ? host : word.substring(0, colon).strip(), port);
            }
        } catch (NumberFormatException notAPort) {
            // Told below.
        }
        throw new GatewayConfigException(
                setting + " is '" + word
                        + "', but may be a port such as 8080, or a host and a port such as 0.0.0.0:8080.",
                null);
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
