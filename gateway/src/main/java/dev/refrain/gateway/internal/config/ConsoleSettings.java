package dev.refrain.gateway.internal.config;

import dev.refrain.console.PasswordHash;
import java.util.Set;

/**
 * Address and password of the console.
 *
 *
 * @param address on a port of its own: those who scrape metrics need not reach what changes records
 */
public record ConsoleSettings(ListenAddress address, PasswordHash password) {

    private static final String HASH = "gateway.console.password-hash";
    private static final Set<String> THIS_MACHINE = Set.of("127.0.0.1", "localhost", "::1", "[::1]");

    static ConsoleSettings of(RawConfig.Console said) {
        var address =
                ListenAddress.of("gateway.console.listen", said.listen() == null ? "9091" : said.listen(), "127.0.0.1");
        if (said.passwordHash() == null) {
            throw new GatewayConfigException(
                    HASH + " is not set, so nobody could log in. Make one with `refrain console password`.", null);
        }
        try {
            return new ConsoleSettings(address, PasswordHash.parse(said.passwordHash()));
        } catch (IllegalArgumentException wrong) {
            throw new GatewayConfigException(
                    HASH + " is not a password hash. Make one with `refrain console password`.", wrong);
        }
    }

    /** Returns whether other machines can reach the console, which has no TLS. */
    boolean isRemotelyReachable() {
        return !THIS_MACHINE.contains(address.host());
    }
}
