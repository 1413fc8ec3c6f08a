package dev.refrain.demo;

import dev.refrain.Refrain;
import dev.refrain.Settings;
import dev.refrain.console.Live;
import dev.refrain.flow.Completion;
import dev.refrain.flow.Flows;
import dev.refrain.http.policy.InFlightPolicy;
import dev.refrain.http.policy.Mode;
import dev.refrain.http.policy.Policy;
import dev.refrain.http.servlet.RefrainFilter;
import dev.refrain.http.servlet.ScopeResolver;
import dev.refrain.store.jdbc.JdbcStore;
import jakarta.servlet.DispatcherType;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A shop with its books and its keys in one SQLite file, which takes the same orders with protection and without. */
final class Shop {

    /** Short, so that a visitor need not wait: how long a crash delays an order. */
    private static final Duration LEASE = Duration.ofSeconds(2);

    private static final Completion COMPLETION =
            new Completion(Duration.ofMillis(300), Duration.ZERO, Duration.ofSeconds(1), 20, 4);

    private Shop() {}

    /** @param arguments the SQLite file, and where the bank is */
    public static void main(String[] arguments) throws Exception {
        Starter.exitWithParent();
        var books = new Books(Path.of(arguments[0]));
        var bank = new BankClient(URI.create(arguments[1]));
        var store = JdbcStore.on(books.database());
        var live = new Live(InstantSource.system());
        var refrain = Refrain.using(store, Settings.defaults().with(live));
        var flows = Flows.on(refrain, store.transactions());
        var orders = OrdersFlow.charging(bank);
        flows.startCompleter(COMPLETION, List.of(orders));
        var bare = new BareTill(books, bank);

        var context = new ServletContextHandler("/");
        context.addFilter(protecting(refrain), "/*", EnumSet.of(DispatcherType.REQUEST));
        context.addServlet(
                new ServletHolder(new ShopServlet(books, (order, response) -> flows.run(orders, order))),
                Side.PROTECTED.path());
        context.addServlet(
                new ServletHolder(new ShopServlet(
                        books, (order, response) -> ShopServlet.write(response, 201, bare.sell(order)))),
                Side.UNPROTECTED.path());
        var console = ShopConsole.start(refrain, store, live);
        context.addServlet(new ServletHolder(new KeysServlet(store.recordBrowser(), console)), KeysServlet.PATH);
        System.out.println(Child.READY + "http://localhost:" + listening(context));
    }

    private static FilterHolder protecting(Refrain refrain) {
        return new FilterHolder(RefrainFilter.builder(refrain)
                .scope(ScopeResolver.singleTenant())
                .route(
                        "POST " + Side.PROTECTED.path(),
                        Policy.of(Mode.flow())
                                .run(run -> run.withLease(LEASE).with(new InFlightPolicy.Wait(Duration.ofSeconds(20)))))
                .build());
    }

    private static int listening(ServletContextHandler context) throws Exception {
        var server = new Server();
        var connector = new ServerConnector(server);
        connector.setHost("localhost");
        server.addConnector(connector);
        server.setHandler(context);
        server.start();
        return connector.getLocalPort();
    }
}
