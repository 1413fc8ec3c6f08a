package dev.refrain.gateway;

import dev.refrain.Refrain;
import dev.refrain.console.ConsoleSections;
import dev.refrain.console.ConsoleServer;
import dev.refrain.console.ContractSection;
import dev.refrain.console.LiveActivityListener;
import dev.refrain.console.OperatorConsole;
import dev.refrain.console.PasswordLogin;
import dev.refrain.gateway.internal.config.ConsoleSettings;
import dev.refrain.http.contract.PublishedRouteContract;
import dev.refrain.store.RecordBrowser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.function.Supplier;

/** Starts the operator console of a gateway. */
final class GatewayConsole {

    private GatewayConsole() {}

    static ConsoleServer start(
            ConsoleSettings settings,
            Refrain refrain,
            RecordBrowser browsing,
            LiveActivityListener live,
            Supplier<PublishedRouteContract> contract)
            throws IOException {
        var console = OperatorConsole.of(
                        new PasswordLogin(settings.password(), InstantSource.system()),
                        ConsoleSections.of(refrain.admin(), browsing, live))
                .and(new ContractSection(contract));
        try {
            return ConsoleServer.start(
                    console,
                    new InetSocketAddress(
                            settings.address().host(), settings.address().port()));
        } catch (UncheckedIOException taken) {
            throw new IOException(
                    "The console cannot listen on " + settings.address() + ": is the port taken?", taken.getCause());
        }
    }
}
