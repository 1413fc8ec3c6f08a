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

/** The shop's console. Whoever sits at this machine may look: there is nothing to see but what the demo did. */
final class ShopConsole implements ConsoleAuthenticator {

    private final ConsoleAuthenticator nobody = ConsoleAuthenticator.trustingHost();

    private ShopConsole() {}

    /** Returns where it is. */
    static URI start(Refrain refrain, JdbcStore store, LiveActivityListener live) {
        var console = OperatorConsole.of(
                new ShopConsole(),
                ConsoleSections.of(
                        refrain.admin(), store.recordBrowser(), live, store.outboxBrowser(), store.outbox()));
        var server = ConsoleServer.start(console, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return URI.create("http://localhost:" + server.address().getPort());
    }

    /** Not by another name: that would be another site's page which asks through the visitor's browser. */
    @Override
    public Optional<String> authenticate(ConsoleRequest request) {
        return request.headers().getOrDefault("host", "").startsWith("localhost:")
                ? Optional.of("visitor")
                : Optional.empty();
    }

    @Override
    public ConsoleReply challenge(ConsoleRequest request, ConsoleLayout frame) {
        return nobody.challenge(request, frame);
    }

    @Override
    public Optional<ConsoleReply> signOut(ConsoleRequest request) {
        return nobody.signOut(request);
    }
}
