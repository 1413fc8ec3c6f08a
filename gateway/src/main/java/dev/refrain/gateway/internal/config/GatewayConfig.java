package dev.refrain.gateway.internal.config;

import dev.refrain.RefrainSettings;
import java.util.List;
import java.util.Optional;

/**
 * Valid configuration of a gateway.
 *
 *
 * @param startup what cannot change while the gateway runs
 * @param reloadable what can
 * @param warnings warnings to print when the gateway starts
 */
public record GatewayConfig(StartupConfig startup, ReloadableGatewayConfig reloadable, List<String> warnings) {

    public GatewayConfig {
        warnings = List.copyOf(warnings);
    }

    /**
     * @param rawValues what it was made of, by which two are compared
     * @param admin where health and metrics are served
     * @param console where the console is served; empty unless it was asked for
     * @param maxBufferedBytes the memory for bodies
     */
    public record StartupConfig(
            List<Optional<?>> rawValues,
            GatewayListenSettings listening,
            UpstreamConnectionSettings client,
            Optional<ListenAddress> admin,
            Optional<ConsoleSettings> console,
            StoreAddress store,
            AccessLogOutput accessLog,
            RefrainSettings settings,
            long maxBufferedBytes) {

        public boolean hasSameSettings(StartupConfig other) {
            return rawValues.equals(other.rawValues);
        }
    }

    /** Destination of the access log. */
    public enum AccessLogOutput {
        STDOUT,
        OFF
    }
}
