package dev.refrain.demo;

import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.console.LiveActivityListener;
import dev.refrain.flow.CompleterSettings;
import dev.refrain.flow.FlowRunner;
import dev.refrain.http.InFlightPolicy;
import dev.refrain.http.OperationMode;
import dev.refrain.http.RoutePolicy;
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

/** Shop with its orders and its keys in one SQLite file. Handles the same orders with and without protection. */
final class DemoShop {

    /** Short, so that a crash delays an order by only a few seconds. */
    private static final Duration LEASE = Duration.ofSeconds(2);

    private static final CompleterSettings COMPLETION =
            new CompleterSettings(Duration.ofMillis(300), Duration.ZERO, Duration.ofSeconds(1), 20, 4);

    private DemoShop() {}

    /**
     * Runs the shop.
     *
     * @param arguments the SQLite file and the URL of the bank
     */
    public static void main(String[] arguments) throws Exception {
        DemoParentWatchdog.exitWithParent();
        var database = new ShopDatabase(Path.of(arguments[0]));
        var bank = new DemoBankClient(URI.create(arguments[1]));
        var store = JdbcStore.on(database.database());
        var live = new LiveActivityListener(InstantSource.system());
        var refrain = Refrain.using(store, RefrainSettings.defaults().with(live));
        var flows = FlowRunner.on(refrain, store.transactions());
        var orders = OrdersFlow.charging(bank);
        flows.startCompleter(COMPLETION, List.of(orders));
        var unprotected = new UnprotectedCheckout(database, bank);

        var context = new ServletContextHandler("/");
        context.addFilter(filter(refrain), "/*", EnumSet.of(DispatcherType.REQUEST));
        context.addServlet(
                new ServletHolder(
                        new ShopServlet(database, (order, response) -> flows.runForCurrentCall(orders, order))),
                CheckoutVariant.PROTECTED.path());
        context.addServlet(
                new ServletHolder(new ShopServlet(
                        database, (order, response) -> ShopServlet.write(response, 201, unprotected.sell(order)))),
                CheckoutVariant.UNPROTECTED.path());
        var console = ShopConsole.start(refrain, store, live);
        context.addServlet(
                new ServletHolder(new KeyHistoryServlet(store.recordBrowser(), console)), KeyHistoryServlet.PATH);
        System.out.println(DemoProcess.READY + "http://localhost:" + startServer(context));
    }

    private static FilterHolder filter(Refrain refrain) {
        return new FilterHolder(RefrainFilter.builder(refrain)
                .scope(ScopeResolver.shared())
                .route(
                        "POST " + CheckoutVariant.PROTECTED.path(),
                        RoutePolicy.of(OperationMode.flow())
                                .run(run -> run.withLease(LEASE).with(new InFlightPolicy.Wait(Duration.ofSeconds(20)))))
                .build());
    }

    private static int startServer(ServletContextHandler context) throws Exception {
        var server = new Server();
        var connector = new ServerConnector(server);
        connector.setHost("localhost");
        server.addConnector(connector);
        server.setHandler(context);
        server.start();
        return connector.getLocalPort();
    }
}
