package dev.refrain.spring.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.Refrain;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.ScopedKey;
import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.http.cases.BodyFlood;
import dev.refrain.http.cases.SmallHeapProcess;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** A WebFlux application on Reactor Netty in 96 MB, and connections that want all its memory. */
class WebFluxMemoryAttackTest {

    private static final Duration EACH = Duration.ofMillis(Boolean.getBoolean("tests.long") ? 30_000 : 1_500);
    private static final Duration LONG = Duration.ofSeconds(15);

    @TempDir
    private Path folder;

    /** The server: a handler that reads its body and keeps nothing of it. */
    static final class Server {

        private Server() {}

        public static void main(String[] arguments) {
            var route = Route.of(
                    "POST /pay",
                    RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.HOLD))
                            .run(run -> run.withStoreTimeout(LONG)));
            var refrain = Refrain.using(JdbcStore.sqlite(Path.of(arguments[0])));
            var server = ReactiveTestServer.start(
                    beans -> {
                        beans.registerBean(Refrain.class, () -> refrain);
                        beans.registerBean(Route.class, () -> route);
                        beans.registerBean(
                                ReactiveScopeResolver.class,
                                () -> exchange -> Mono.justOrEmpty(
                                        exchange.getRequest().getHeaders().getFirst("X-User")));
                    },
                    Reading.class);
            System.out.println("port " + server.port());
        }
    }

    @RestController
    static final class Reading {

        @PostMapping("/pay")
        Mono<ResponseEntity<String>> pay(ServerWebExchange exchange) {
            return exchange.getRequest()
                    .getBody()
                    .doOnNext(DataBufferUtils::release)
                    .then(Mono.fromSupplier(
                            () -> ResponseEntity.status(HttpStatus.CREATED).body("paid")));
        }
    }

    @Test
    void honestRequestsPassBesideConnectionsThatWantAllMemory() throws Exception {
        var database = folder.resolve("keys.db");
        BodyFlood flood;
        try (var server = SmallHeapProcess.start(Server.class, "96m", database.toString())) {
            flood = new BodyFlood(server.port(), "/pay");
            flood.warmUp(60);
            flood.run(EACH);

            assertThat(server.isAlive()).isTrue();
        }
        flood.requireThatHonestRequestsPassed();
        try (var store = JdbcStore.sqlite(database);
                var refrain = Refrain.using(store)) {
            assertThat(refrain.admin().unsettledCounts().attention()).isZero();
            flood.honest()
                    .forEach((key, status) -> assertThat(refrain.admin()
                                    .find(new ScopedKey(BodyFlood.SCOPE, RouteProtection.NAMESPACE, key))
                                    .isPresent())
                            .as("claimed, answered with " + status)
                            .isEqualTo(status == 201));
        }
    }
}
