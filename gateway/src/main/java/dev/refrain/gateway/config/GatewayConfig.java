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
 * @param fixed what cannot change while the gateway runs
 * @param policies what can
 * @param remarks what whoever starts the gateway should know
 */
public record GatewayConfig(Fixed fixed, Policies policies, List<String> remarks) {

    public GatewayConfig {
        remarks = List.copyOf(remarks);
    }

    /**
     * @param words what it was made of, by which two are compared
     * @param admin where health and metrics are served
     * @param console where the console is served; empty unless it was asked for
     */
    public record Fixed(
            List<Optional<?>> words,
            Listening listening,
            ClientLimits client,
            Optional<Address> admin,
            Optional<ConsoleSettings> console,
            StoreAddress store,
            AccessLogTo accessLog,
            Settings settings) {

        public boolean isLike(Fixed other) {
            return words.equals(other.words);
        }
    }

    /** Where the access log goes. */
    public enum AccessLogTo {
        STDOUT,
        OFF
    }
}
