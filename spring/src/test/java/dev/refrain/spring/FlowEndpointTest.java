package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.Refrain;
import dev.refrain.api.Downstream;
import dev.refrain.api.NotSentException;
import dev.refrain.api.OperationResult;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRunner;
import dev.refrain.flow.ForeignCall;
import dev.refrain.flow.PhaseResult;
import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.http.cases.RawHttpResponse;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.store.ErasureRequest;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** A flow behind an HTTP route, behind a method, and in Spring's transactions. */
class FlowEndpointTest {

    record Order(String article, long amount) {}

    private static final List<String> CHARGES = new CopyOnWriteArrayList<>();
    private static final AtomicReference<Runnable> AFTER_CHARGE = new AtomicReference<>(() -> {});

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        /** Phases use the application's own template: it takes part in the transaction that the phase is in. */
        @Bean
        Flow<Order, Object, Connection> orders(JdbcTemplate sql) {
            return flow("orders", RouteProtection.NAMESPACE, sql);
        }

        @Bean
        Flow<Order, Object, Connection> deliveries(JdbcTemplate sql) {
            return flow("deliveries", "deliveries", sql);
        }

        private static Flow<Order, Object, Connection> flow(String name, String namespace, JdbcTemplate sql) {
            return Flow.of(name, Order.class, Object.class)
                    .namespace(namespace)
                    .phase("started", (tx, at) -> {
                        sql.update("INSERT INTO orders VALUES (?)", at.request().article());
                        return PhaseResult.goTo("ordered");
                    })
                    .foreignCall(
                            "ordered",
                            Downstream.<ForeignCall<Order>, String>honoursKeysForEver(),
                            call -> {
                                CHARGES.add(call.key());
                                AFTER_CHARGE.get().run();
                                return call.principal().getOrDefault("name", "nobody");
                            },
                            (tx, at, charge) -> at.request().amount() > 1000
                                    ? PhaseResult.fail(402, Map.of("declined", charge))
                                    : PhaseResult.finish(201, Map.of("charged", charge)))
                    .build();
        }

        @Bean
        Orders controller(FlowRunner<Connection> flows, Flow<Order, Object, Connection> orders) {
            return new Orders(flows, orders);
        }

        @Bean
        Deliveries service(FlowRunner<Connection> flows, Flow<Order, Object, Connection> deliveries) {
            return new Deliveries(flows, deliveries);
        }
    }

    @RestController
    record Orders(FlowRunner<Connection> flows, Flow<Order, Object, Connection> flow) {

        @PostMapping("/orders")
        @Idempotent(mode = Idempotent.Mode.FLOW)
        ResponseEntity<String> create(@RequestBody Order order) throws Exception {
            if (order.amount() < 0) {
                return ResponseEntity.status(422).body("less than nothing");
            }
            flows.runForCurrentCall(flow, order, Map.of("name", "ann"));
            return ResponseEntity.ok("never seen");
        }

        @PostMapping("/personal")
        @Idempotent(mode = Idempotent.Mode.FLOW)
        void createOf(@RequestBody Order order) throws Exception {
            flows.runForCurrentCall(flow, order, Map.of("name", "ann"), "customer-7");
        }

        @PostMapping("/forgotten")
        @Idempotent(mode = Idempotent.Mode.FLOW)
        String forgotten() {
            return "ran no flow";
        }
    }

    @Service
    static class Deliveries {
        private final FlowRunner<Connection> flows;
        private final Flow<Order, Object, Connection> flow;

        Deliveries(FlowRunner<Connection> flows, Flow<Order, Object, Connection> flow) {
            this.flows = flows;
            this.flow = flow;
        }

        @Idempotent(mode = Idempotent.Mode.FLOW, operation = "deliveries", key = "#order.article", scope = "'shop'")
        public OperationResult deliver(Order order) throws Exception {
            return flows.runForCurrentCall(flow, order);
        }
    }

    @TempDir
    private Path directory;

    private ConfigurableApplicationContext shop;

    @BeforeEach
    void start() {
        CHARGES.clear();
        AFTER_CHARGE.set(() -> {});
        shop = new SpringApplication(Shop.class)
                .run(
                        "--server.port=0",
                        "--server.address=127.0.0.1",
                        "--spring.main.banner-mode=off",
                        "--logging.level.root=off",
                        "--refrain.scope=shared",
                        "--refrain.http.lease=5s",
                        "--refrain.completer.interval=50ms",
                        "--refrain.completer.grace-period=50ms",
                        "--refrain.completer.first-backoff=50ms",
                        "--spring.datasource.url=jdbc:sqlite:" + directory.resolve("shop.db"));
        shop.getBean(JdbcTemplate.class).execute("CREATE TABLE orders (article TEXT)");
    }

    @AfterEach
    void stop() {
        shop.close();
    }

    private RawHttpResponse post(String path, String key, String body) throws Exception {
        return send(RawHttpRequest.post(path).key(key).json(body));
    }

    private RawHttpResponse send(RawHttpRequest request) throws Exception {
        try (var wire = new RawHttpConnection(ServerPort.of(shop))) {
            wire.send(request);
            return wire.receive();
        }
    }

    private int orders() {
        return shop.getBean(JdbcTemplate.class).queryForObject("SELECT count(*) FROM orders", Integer.class);
    }

    @Test
    void answerOfTheFlowIsTheFirstAnswerAndEveryReplay() throws Exception {
        var first = post("/orders", "order-key", "{\"article\":\"book\",\"amount\":700}");
        var again = post("/orders", "order-key", "{\"amount\":700, \"article\":\"book\"}");
        var other = post("/orders", "order-key", "{\"article\":\"car\",\"amount\":700}");

        assertThat(first.status()).isEqualTo(201);
        assertThat(first.body()).isEqualTo("{\"charged\":\"ann\"}");
        assertThat(first.header("Idempotent-Replayed")).isEmpty();
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(again.header("Idempotent-Replayed")).contains("true");
        assertThat(other.status()).isEqualTo(422);
        assertThat(CHARGES).hasSize(1);
        assertThat(orders()).isEqualTo(1);
    }

    @Test
    void flowBehindARouteIsErasedWithItsPerson() throws Exception {
        String body = "{\"article\":\"book\",\"amount\":700}";
        assertThat(post("/personal", "of-a-customer", body).status()).isEqualTo(201);
        assertThat(post("/orders", "of-nobody", body).status()).isEqualTo(201);

        var erased = shop.getBean(Refrain.class)
                .admin()
                .erase(new ErasureRequest.OfSubject("", "customer-7"), "ann", "asked for it");

        assertThat(erased.erased()).isEqualTo(1);
        assertThat(post("/personal", "of-a-customer", body).body()).contains("answer-not-kept");
        assertThat(post("/orders", "of-nobody", body).status()).isEqualTo(201);
        assertThat(CHARGES).hasSize(2);
    }

    @Test
    void declinedCardIsAnOutcomeAndARefusalBeforeTheFlowIsNot() throws Exception {
        assertThat(post("/orders", "dear", "{\"article\":\"car\",\"amount\":30000}")
                        .status())
                .isEqualTo(402);
        assertThat(post("/orders", "dear", "{\"article\":\"car\",\"amount\":30000}")
                        .header("Idempotent-Replayed"))
                .contains("true");

        assertThat(post("/orders", "free", "{\"article\":\"pen\",\"amount\":-1}")
                        .status())
                .isEqualTo(422);
        assertThat(post("/orders", "free", "{\"article\":\"pen\",\"amount\":1}").status())
                .isEqualTo(201);
    }

    @Test
    void failedFlowIsFinishedWithoutItsCallerAndCanBeRead() throws Exception {
        AFTER_CHARGE.set(() -> {
            AFTER_CHARGE.set(() -> {});
            throw new IllegalStateException("the reply is lost");
        });
        assertThat(post("/orders", "lost", "{\"article\":\"book\",\"amount\":700}")
                        .status())
                .isEqualTo(500);

        await().until(() -> CHARGES.size() == 2);

        await().untilAsserted(() -> {
            var late = post("/orders", "lost", "{\"article\":\"book\",\"amount\":700}");
            assertThat(late.status()).isEqualTo(201);
            assertThat(late.header("Idempotent-Replayed")).contains("true");
        });
        assertThat(CHARGES).containsOnly(CHARGES.getFirst());
        assertThat(orders()).isEqualTo(1);
    }

    /** Exceptions of Refrain's own that end a call: the flow ran, and what was committed stays. */
    @Test
    void flowWhoseCallFailedIsNeverReportedAsNotRun() throws Exception {
        AFTER_CHARGE.set(() -> {
            AFTER_CHARGE.set(() -> {});
            throw new NotSentException("no route to the bank");
        });
        var answer = post("/orders", "late", "{\"article\":\"book\",\"amount\":700}");

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body())
                .contains("outcome-unconfirmed", "\"retryable\":true")
                .doesNotContain("not run");
    }

    @Test
    void concurrentCallerCanReadTheOutcomeLater() throws Exception {
        var charged = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        AFTER_CHARGE.set(() -> {
            charged.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        String body = "{\"article\":\"book\",\"amount\":700}";
        var first = new FutureTask<>(() -> post("/orders", "slow", body));
        Thread.ofVirtual().start(first);
        charged.await();

        var twin = send(RawHttpRequest.post("/orders").key("slow").json(body).line("Prefer: respond-async"));
        assertThat(twin.status()).isEqualTo(202);
        String location = twin.header("Location").orElseThrow();
        assertThat(send(RawHttpRequest.post(location).by("GET")).status()).isEqualTo(200);
        go.countDown();

        assertThat(first.get().status()).isEqualTo(201);
        var read = send(RawHttpRequest.post(location).by("GET"));
        assertThat(read.status()).isEqualTo(201);
        assertThat(read.body()).isEqualTo(first.get().body());
    }

    @Test
    void handlerThatRanNoFlowIsADefectAndSaysSo() throws Exception {
        assertThat(post("/forgotten", "forgotten", "{}").status()).isEqualTo(500);
    }

    @Test
    void methodOfAnyBeanMayRunOne() throws Exception {
        var deliveries = shop.getBean(Deliveries.class);

        assertThat(deliveries.deliver(new Order("book", 1))).isInstanceOf(OperationResult.Ran.class);
        assertThat(deliveries.deliver(new Order("book", 1))).isInstanceOf(OperationResult.Replayed.class);
        assertThat(CHARGES).hasSize(1);
    }
}
