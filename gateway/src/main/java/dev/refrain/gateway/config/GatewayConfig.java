package dev.refrain.gateway.config;

import dev.refrain.Settings;
import dev.refrain.gateway.ClientLimits;
import dev.refrain.gateway.Listening;
import dev.refrain.gateway.Policies;
import java.util.List;
import java.util.Optional;

/**
 * A configuration that can be used.
 *
 * @param startup what cannot change while the gateway runs
 * @param reloadable what can
 * @param warnings what whoever starts the gateway should know
 */
public record GatewayConfig(Fixed startup, Policies reloadable, List<String> warnings) {

    public GatewayConfig {
        warnings = List.copyOf(warnings);
    }

    /**
     * @param words what it was made of, by which two are compared
     * @param admin where health and metrics are served
     * @param console where the console is served; empty unless it was asked for
     */
    public record Fixed(
            List<Optional<?>> rawValues,
            Listening listening,
            ClientLimits client,
            Optional<Address> admin,
            Optional<ConsoleSettings> console,
            StoreAddress store,
            AccessLogTo accessLog,
            Settings settings) {

        public boolean hasSameSettings(Fixed other) {
            return rawValues.equals(other.rawValues);
        }
    }

    /** Where the access log goes. */
    public enum AccessLogTo {
        STDOUT,
        OFF
    }
}
