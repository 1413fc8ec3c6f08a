package dev.refrain.demo;

import dev.refrain.Refrain;
import dev.refrain.console.ConsoleAuthenticator;
import dev.refrain.console.ConsoleLayout;
import dev.refrain.console.ConsoleReply;
import dev.refrain.console.ConsoleRequest;
import dev.refrain.console.ConsoleSections;
import dev.refrain.console.ConsoleServer;
import dev.refrain.console.LiveActivityListener;
import dev.refrain.console.OperatorConsole;
import dev.refrain.store.jdbc.JdbcStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Optional;

/** Console of the shop, open to every user of this machine, since it only shows data of the demo. */
final class ShopConsole implements ConsoleAuthenticator {

    private final ConsoleAuthenticator denied = ConsoleAuthenticator.trustingHost();

    private ShopConsole() {}

    /** Starts the console and returns its URL. */
    static URI start(Refrain refrain, JdbcStore store, LiveActivityListener live) {
        var console = OperatorConsole.of(
                new ShopConsole(),
                ConsoleSections.of(
                        refrain.admin(), store.recordBrowser(), live, store.outboxBrowser(), store.outbox()));
        var server = ConsoleServer.start(console, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return URI.create("http://localhost:" + server.address().getPort());
    }

    /**
     * Accepts localhost only: another host name would mean that a page of another site sends requests through the
     * browser.
     */
    @Override
    public Optional<String> authenticate(ConsoleRequest request) {
        return request.headers().getOrDefault("host", "").startsWith("localhost:")
                ? Optional.of("visitor")
                : Optional.empty();
    }

    @Override
    public ConsoleReply challenge(ConsoleRequest request, ConsoleLayout layout) {
        return denied.challenge(request, layout);
    }

    @Override
    public Optional<ConsoleReply> signOut(ConsoleRequest request) {
        return denied.signOut(request);
    }
}
