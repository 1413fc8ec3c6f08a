package dev.refrain.gateway;

import dev.refrain.Refrain;
import dev.refrain.Settings;
import dev.refrain.gateway.config.ConfigReader;
import dev.refrain.gateway.config.Overrides;
import dev.refrain.http.Protection;
import dev.refrain.http.cases.RawAnswer;
import dev.refrain.http.cases.RawRequest;
import dev.refrain.http.cases.Wire;
import dev.refrain.key.Identity;
import dev.refrain.store.State;
import dev.refrain.store.Store;
import dev.refrain.store.memory.MemoryStore;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A gateway as a file configures it, over a store in memory. */
final class GatewayUnderTest implements AutoCloseable {

    private final Store store = new MemoryStore();
    private final Refrain refrain = Refrain.using(store, Settings.standard().with(Outcome.listener()));
    private final GatewayServer server;

    GatewayUnderTest(String upstream, String yaml) throws Exception {
        this(upstream, yaml, (request, response) -> {});
    }

    GatewayUnderTest(String upstream, String yaml, org.eclipse.jetty.server.RequestLog log) throws Exception {
        var config = reader(upstream).read(yaml);
        server = GatewayServer.start(
                refrain,
                config.policies(),
                config.fixed().listening(),
                config.fixed().client(),
                log);
    }

    static ConfigReader reader(String upstream) {
        return new ConfigReader(
                new Overrides(Optional.of(upstream), Optional.of("127.0.0.1:0"), Optional.of("off"), Optional.empty()),
                Map.of());
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

    RawAnswer send(RawRequest request) throws IOException {
        try (var wire = new Wire(server.port())) {
            wire.send(request);
            return wire.receive();
        }
    }

    static RawRequest pay(String key) {
        return RawRequest.post("/pay").key(key).json("{\"amount\":1}");
    }

    Optional<State> state(String key) {
        return refrain.operators()
                .find(new Identity("", Protection.NAMESPACE, key))
                .map(record -> record.state());
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
