package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.Refrain;
import dev.refrain.api.ScopedKey;
import dev.refrain.gateway.PaymentsService.KeySupport;
import dev.refrain.http.cases.RawHttpResponse;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.servers.PostgresServer;
import dev.refrain.store.RecordState;
import dev.refrain.store.Store;
import dev.refrain.store.jdbc.JdbcStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Gateways, the service behind and the store die by SIGKILL at any moment, under load. Each payment takes effect at most once; where the
 * service knows keys or can be asked, exactly once; and no key is stuck.
 */
class KillsUnderLoadTest {

    private static final boolean LONG = Boolean.getBoolean("tests.long");
    private static final int KILLS = LONG ? 20 : 1;
    private static final int CLIENTS = 8;
    private static final int BETWEEN_KILLS = 20;

    /** Abilities of the upstream, and so the promises. */
    enum UpstreamKind {
        HELD(KeySupport.PLAIN, "forward-key: client"),
        KNOWS_KEYS(KeySupport.KNOWS_KEYS, "upstream-honours-keys: 24h"),
        CAN_BE_ASKED(KeySupport.PLAIN, "lookup: GET /payments/by-key?key={key}");

        private final KeySupport manner;
        private final String rule;

        UpstreamKind(KeySupport manner, String rule) {
            this.manner = manner;
            this.rule = rule;
        }
    }

    @TempDir
    private Path folder;

    private Path ledger;

    @BeforeEach
    void open() {
        ledger = folder.resolve("ledger");
    }

    private Path config(UpstreamKind service) throws IOException {
        return Files.writeString(
                folder.resolve("gateway.yaml"),
                GatewayUnderTest.scoped(route("lease: 2s", service.rule)
                        + "  maintenance: {sweep-interval: 500ms, sweep-grace-period: 0s}\n"));
    }

    private String file() {
        return "jdbc:sqlite:" + folder.resolve("keys.db");
    }

    private ServiceProcess serve(UpstreamKind service, int port) throws IOException {
        return ServiceProcess.java(
                PaymentsService.class,
                Map.of(),
                Integer.toString(port),
                ledger.toString(),
                service.manner.toString(),
                "5");
    }

    static List<UpstreamKind> killedServiceDoublesNoPayment() {
        return tried(UpstreamKind.HELD, UpstreamKind.CAN_BE_ASKED);
    }

    static List<UpstreamKind> killedGatewayDoublesNoPayment() {
        return tried(UpstreamKind.HELD);
    }

    static List<UpstreamKind> killedStoreDoublesNoPayment() {
        return tried(UpstreamKind.KNOWS_KEYS);
    }

    /** These, or all of them if there is time. */
    private static List<UpstreamKind> tried(UpstreamKind... some) {
        return LONG ? List.of(UpstreamKind.values()) : List.of(some);
    }

    private static String address(ServiceProcess service) {
        return "http://127.0.0.1:" + service.port();
    }

    private static void pause() throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(50));
    }

    @ParameterizedTest
    @MethodSource
    void killedServiceDoublesNoPayment(UpstreamKind kind) throws Exception {
        var service = new AtomicReference<>(serve(kind, 0));
        try (var gateway = GatewayProcess.start(config(kind), address(service.get()), file(), Map.of())) {
            var load = new RetryingPaymentClients(CLIENTS, gateway::port);
            for (int kills = 0; kills < KILLS; kills++) {
                load.awaitMore(BETWEEN_KILLS);
                pause();
                service.get().kill();
                service.set(serve(kind, service.get().port()));
            }
            load.awaitMore(BETWEEN_KILLS);
            settled(kind, load.finish(), JdbcStore.sqlite(folder.resolve("keys.db")));
        } finally {
            service.get().close();
        }
    }

    @ParameterizedTest
    @MethodSource
    void killedGatewayDoublesNoPayment(UpstreamKind kind) throws Exception {
        try (var service = serve(kind, 0)) {
            var config = config(kind);
            var gateway = new AtomicReference<>(GatewayProcess.start(config, address(service), file(), Map.of()));
            var load = new RetryingPaymentClients(CLIENTS, () -> gateway.get().port());
            for (int kills = 0; kills < KILLS; kills++) {
                load.awaitMore(BETWEEN_KILLS);
                pause();
                gateway.get().kill();
                gateway.set(GatewayProcess.start(config, address(service), file(), Map.of()));
            }
            load.awaitMore(BETWEEN_KILLS);
            var answers = load.finish();
            gateway.get().close();
            settled(kind, answers, JdbcStore.sqlite(folder.resolve("keys.db")));
        }
    }

    /** Two gateways on one PostgreSQL; each attempt goes to either of them. */
    @ParameterizedTest
    @MethodSource
    void killedStoreDoublesNoPayment(UpstreamKind kind) throws Exception {
        try (var database = PostgresServer.start();
                var service = serve(kind, 0)) {
            var url = new DatabaseAddress(database.jdbcUrl());
            var config = config(kind);
            try (var one = GatewayProcess.start(config, address(service), url.bare(), url.environment());
                    var other = GatewayProcess.start(config, address(service), url.bare(), url.environment())) {
                var load = new RetryingPaymentClients(
                        CLIENTS, () -> (ThreadLocalRandom.current().nextBoolean() ? one : other).port());
                for (int kills = 0; kills < KILLS; kills++) {
                    load.awaitMore(BETWEEN_KILLS);
                    pause();
                    database.killHard();
                    pause();
                    database.restart();
                }
                load.awaitMore(BETWEEN_KILLS);
                settled(
                        kind,
                        load.finish(),
                        JdbcStore.builder(database.dataSource()).build());
            }
        }
    }

    private void settled(UpstreamKind kind, Map<String, RawHttpResponse> answers, Store store) throws IOException {
        var effects = PaymentsService.effects(ledger);
        assertThat(effects).as("each payment at most once").doesNotHaveDuplicates();
        var made =
                answers.values().stream().filter(RetryingPaymentClients::isMade).toList();
        assertThat(made.stream().map(RawHttpResponse::body).collect(Collectors.toSet()))
                .as("each answer is of a payment of its own")
                .hasSameSizeAs(made);
        if (kind == UpstreamKind.HELD) {
            assertThat(effects)
                    .as("what was made took effect")
                    .containsAll(answers.entrySet().stream()
                            .filter(answer -> RetryingPaymentClients.isMade(answer.getValue()))
                            .map(Map.Entry::getKey)
                            .toList());
        } else {
            assertThat(answers.values())
                    .as("nobody is left without an answer")
                    .allMatch(RetryingPaymentClients::isMade);
            assertThat(effects).as("none is lost, none is doubled").hasSameSizeAs(answers.keySet());
        }
        try (store;
                var refrain = Refrain.using(store)) {
            answers.forEach((key, answer) -> assertThat(refrain.admin()
                            .find(new ScopedKey("", RouteProtection.NAMESPACE, key))
                            .orElseThrow()
                            .state())
                    .isEqualTo(RetryingPaymentClients.isMade(answer) ? RecordState.COMPLETED : RecordState.ATTENTION));
        }
    }
}
