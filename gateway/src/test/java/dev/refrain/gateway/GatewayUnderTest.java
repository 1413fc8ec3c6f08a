package dev.refrain.gateway;

import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.RefrainSettings.CacheSettings;
import dev.refrain.api.ScopedKey;
import dev.refrain.gateway.internal.config.CommandLineOverrides;
import dev.refrain.gateway.internal.config.GatewayConfigReader;
import dev.refrain.http.KeptRequest;
import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.http.cases.RawHttpResponse;
import dev.refrain.http.edge.BufferBudget;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.metrics.MicrometerListener;
import dev.refrain.metrics.RecordGauges;
import dev.refrain.store.RecordState;
import dev.refrain.store.Store;
import dev.refrain.store.memory.MemoryStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.server.RequestLog;

/** A gateway as a file configures it, over a store in memory. */
final class GatewayUnderTest implements AutoCloseable {

    private static final RefrainSettings SETTINGS = RefrainSettings.defaults();

    private final Store store;
    private final Refrain refrain;
    private final GatewayServer server;
    private final BufferBudget budget;

    GatewayUnderTest(String upstream, String yaml) throws Exception {
        this(upstream, yaml, (request, response) -> {});
    }

    GatewayUnderTest(String upstream, String yaml, RequestLog log) throws Exception {
        this(new MemoryStore(), SETTINGS, upstream, yaml, log);
    }

    private GatewayUnderTest(Store store, RefrainSettings settings, String upstream, String yaml, RequestLog log)
            throws Exception {
        this.store = store;
        this.refrain = Refrain.using(store, settings);
        var config = yaml.isBlank()
                ? reader(upstream).readWithoutFile()
                : reader(upstream).read(scoped(yaml));
        budget = BufferBudget.of(config.startup().maxBufferedBytes());
        server = GatewayServer.start(
                refrain,
                config.reloadable(),
                config.startup().listening(),
                config.startup().client(),
                log,
                budget);
    }

    /** Starts a gateway whose store uses this clock. */
    static GatewayUnderTest by(InstantSource clock, String upstream, String yaml) throws Exception {
        return new GatewayUnderTest(new MemoryStore(clock), SETTINGS, upstream, yaml, (request, response) -> {});
    }

    /** An hour of the store's clock passes in a second. Nothing is cached: the cache counts by another clock. */
    static GatewayUnderTest withSecondsForHours(String upstream, String yaml) throws Exception {
        var start = Instant.now();
        var store = new MemoryStore(
                () -> start.plus(Duration.between(start, Instant.now()).multipliedBy(3600)));
        return new GatewayUnderTest(store, SETTINGS.with(CacheSettings.OFF), upstream, yaml, (request, response) -> {});
    }

    /** One whose meters are those of a whole gateway. */
    static GatewayUnderTest observed(InstantSource clock, MeterRegistry meters, String upstream, String yaml)
            throws Exception {
        var gateway = new GatewayUnderTest(
                new MemoryStore(clock),
                RefrainSettings.defaults().with(new MicrometerListener(meters)),
                upstream,
                yaml,
                new AccessLog(Clock.systemUTC(), Optional.empty(), meters));
        new RecordGauges(gateway.refrain.admin()).bindTo(meters);
        return gateway;
    }

    static GatewayConfigReader reader(String upstream) {
        return new GatewayConfigReader(
                new CommandLineOverrides(
                        Optional.of(upstream), Optional.of("127.0.0.1:0"), Optional.of("off"), Optional.empty()),
                Map.of());
    }

    /** Adds to a file that all callers share their keys, unless it says whose they are. */
    static String scoped(String yaml) {
        if (yaml.contains("scope:")) {
            return yaml;
        }
        if (yaml.contains("gateway: {")) {
            return yaml.replace("gateway: {", "gateway: {scope: shared, ");
        }
        return yaml.contains("gateway:\n")
                ? yaml.replace("gateway:\n", "gateway:\n  scope: shared\n")
                : "gateway: {scope: shared}\n" + yaml;
    }

    /** One route, POST /pay, with these lines about it. */
    static String route(String... lines) {
        return "refrain:\n  routes:\n    pay:\n      match: POST /pay\n"
                + java.util.Arrays.stream(lines)
                        .map(line -> "      " + line + "\n")
                        .collect(java.util.stream.Collectors.joining());
    }

    GatewayServer server() {
        return server;
    }

    /** The memory of its bodies. */
    BufferBudget budget() {
        return budget;
    }

    /** The bytes that are buffered now. */
    long heldBytes() {
        return budget.heldBytes();
    }

    RawHttpResponse send(RawHttpRequest request) throws IOException {
        try (var wire = new RawHttpConnection(server.port())) {
            wire.send(request);
            return wire.receive();
        }
    }

    static RawHttpRequest pay(String key) {
        return RawHttpRequest.post("/pay").key(key).json("{\"amount\":1}");
    }

    Optional<RecordState> state(String key) {
        return refrain.admin()
                .find(new ScopedKey("", RouteProtection.NAMESPACE, key))
                .map(record -> record.state());
    }

    /** The request that was kept for people. */
    Optional<KeptRequest> keptRequest(String key) {
        return refrain.admin()
                .findKeptRequest(new ScopedKey("", RouteProtection.NAMESPACE, key))
                .flatMap(KeptRequest::decode);
    }

    Refrain refrain() {
        return refrain;
    }

    @Override
    public void close() throws Exception {
        server.close();
        refrain.close(Duration.ofSeconds(2));
        store.close();
    }
}
