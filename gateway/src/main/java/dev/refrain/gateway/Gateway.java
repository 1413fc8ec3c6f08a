package dev.refrain.gateway;

import dev.refrain.ClaimHealthCheck;
import dev.refrain.Refrain;
import dev.refrain.console.ConsoleServer;
import dev.refrain.console.LiveActivityListener;
import dev.refrain.gateway.internal.config.GatewayConfig;
import dev.refrain.gateway.internal.config.GatewayConfig.AccessLogOutput;
import dev.refrain.gateway.internal.config.GatewayConfigException;
import dev.refrain.gateway.internal.config.ReloadableGatewayConfig;
import dev.refrain.http.edge.BufferBudget;
import dev.refrain.metrics.BufferGauges;
import dev.refrain.metrics.MicrometerListener;
import dev.refrain.metrics.RecordGauges;
import dev.refrain.store.RecordBrowser;
import dev.refrain.store.Store;
import dev.refrain.store.StoreAbility;
import dev.refrain.store.StoreLocation;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** A running gateway with its store, its server for clients, its admin pages and its console. */
public final class Gateway implements AutoCloseable {

    /** Environment variables with the user and password of the store, which a command line would show to everybody. */
    public static final String STORE_USER = "REFRAIN_STORE_USER";

    public static final String STORE_PASSWORD = "REFRAIN_STORE_PASSWORD";

    private final Deque<AutoCloseable> toClose = new ArrayDeque<>();
    private final GatewayServer server;
    private final Optional<AdminServer> admin;
    private final Optional<ConsoleServer> console;

    private Gateway(GatewayConfig config, Map<String, String> environment, Consumer<String> log) throws Exception {
        var fixed = config.startup();
        try {
            var store = opened(replaying(fixed, store(fixed, environment)));
            var browsing = fixed.console()
                    .map(asked -> StoreAbility.require(store, RecordBrowser.class, "The console (gateway.console)"));
            var meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            toClose.push(meters::close);
            var listener = new MicrometerListener(meters);
            var live = new LiveActivityListener(InstantSource.system());
            var refrain = opened(Refrain.using(
                    store,
                    fixed.settings()
                            .with(config.reloadable().loggedKeys())
                            .with(fixed.console().isPresent() ? listener.and(live) : listener)));
            new RecordGauges(refrain.admin()).bindTo(meters);
            var budget = BufferBudget.of(fixed.maxBufferedBytes());
            new BufferGauges(budget::heldBytes, budget.maxBytes()).bindTo(meters);
            var probe = new ClaimHealthCheck(refrain);
            admin = fixed.admin().isPresent()
                    ? Optional.of(opened(new AdminServer(
                                    fixed.admin().get().host(),
                                    fixed.admin().get().port(),
                                    probe,
                                    meters))
                            .start())
                    : Optional.empty();
            var traces = opened(GatewayTracer.from(environment));
            var lines = Optional.of(log).filter(to -> fixed.accessLog() == AccessLogOutput.STDOUT);
            server = opened(GatewayServer.start(
                    refrain,
                    config.reloadable(),
                    fixed.listening(),
                    fixed.client(),
                    new AccessLog(Clock.systemUTC(), lines, meters),
                    traces,
                    budget));
            console = fixed.console().isPresent()
                    ? Optional.of(opened(GatewayConsole.start(
                            fixed.console().get(), refrain, browsing.orElseThrow(), live, server::contract)))
                    : Optional.empty();
        } catch (Exception | Error failed) {
            closeAll();
            throw failed;
        }
    }

    /**
     * @param environment where the store's user and password are, and whether and where to requests are traced
     * @param log takes the lines of the access log
     * @throws Exception if a port is taken or the store cannot be reached
     */
    public static Gateway start(GatewayConfig config, Map<String, String> environment, Consumer<String> log)
            throws Exception {
        return new Gateway(config, environment, log);
    }

    private static Store store(GatewayConfig.StartupConfig fixed, Map<String, String> environment) {
        try {
            return fixed.store()
                    .location(fixed.console().isPresent())
                    .login(environment.getOrDefault(STORE_USER, ""), environment.getOrDefault(STORE_PASSWORD, ""))
                    .open();
        } catch (IllegalArgumentException wrong) {
            throw new GatewayConfigException("refrain.store: " + wrong.getMessage(), wrong);
        }
    }

    /** Puts the Redis that replays, if there is one, in front of the store. */
    private static Store replaying(GatewayConfig.StartupConfig fixed, Store store) {
        try {
            return fixed.store()
                    .replayFrom()
                    .map(url -> StoreLocation.of(url).openBefore(store))
                    .orElse(store);
        } catch (IllegalArgumentException wrong) {
            store.close();
            throw new GatewayConfigException("refrain.store.replay-from: " + wrong.getMessage(), wrong);
        }
    }

    private <T extends AutoCloseable> T opened(T part) {
        toClose.push(part);
        return part;
    }

    public int port() {
        return server.port();
    }

    /** Returns the port of the health and metrics pages, if they are served. */
    public OptionalInt adminPort() {
        return admin.map(pages -> OptionalInt.of(pages.port())).orElse(OptionalInt.empty());
    }

    /** Returns the address of the console, if it is served. */
    public Optional<InetSocketAddress> consoleAddress() {
        return console.map(ConsoleServer::address);
    }

    /** Applies these settings to requests that arrive from now on. */
    public void reload(ReloadableGatewayConfig policies) {
        server.reload(policies);
    }

    /** Refuses new requests, lets those under way finish within the drain time, and closes the store. */
    @Override
    public void close() throws Exception {
        admin.ifPresent(AdminServer::drain);
        closeAll();
    }

    /** Closes all parts in reverse order of opening; a part that fails to close does not keep the others open. */
    private void closeAll() throws Exception {
        Optional<Exception> failure = Optional.empty();
        while (!toClose.isEmpty()) {
            try {
                toClose.pop().close();
            } catch (Exception e) {
                failure = Optional.of(
                        failure.map(first -> withSuppressed(first, e)).orElse(e));
            }
        }
        if (failure.isPresent()) {
            throw failure.get();
        }
    }

    private static Exception withSuppressed(Exception first, Exception next) {
        first.addSuppressed(next);
        return first;
    }
}
