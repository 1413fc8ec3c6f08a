package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.refrain.Refrain;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRunner;
import dev.refrain.flow.PhaseResult;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.outbox.TopicSettings;
import dev.refrain.servers.PostgresServer;
import dev.refrain.spring.transaction.TransactionalOutbox;
import dev.refrain.store.encryption.EncryptingStore;
import dev.refrain.store.encryption.EncryptionKeyRing;
import dev.refrain.store.jdbc.JdbcStore;
import dev.refrain.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** With one property or one bean everything that the starter stores is encrypted, in every mode. */
@ExtendWith(OutputCaptureExtension.class)
class EncryptedServiceTest {

    private static final String WORD = "planted-word";
    private static final String SECRET = Base64.getEncoder().encodeToString(secret(1));
    private static final String KEYS = "refrain.encryption.keys=2026-11=" + SECRET;
    private static final List<String> DELIVERED = new CopyOnWriteArrayList<>();

    private static byte[] secret(int fill) {
        var secret = new byte[32];
        Arrays.fill(secret, (byte) fill);
        return secret;
    }

    @RestController
    static class Shop {
        private final TransactionalOutbox outbox;
        private final FlowRunner<Connection> flows;
        private final Flow<String, String, Connection> orders;
        private final Bank bank;

        Shop(
                TransactionalOutbox outbox,
                FlowRunner<Connection> flows,
                Flow<String, String, Connection> orders,
                Bank bank) {
            this.outbox = outbox;
            this.flows = flows;
            this.orders = orders;
            this.bank = bank;
        }

        @PostMapping("/transactional")
        @Idempotent
        @Transactional
        public String inTransaction(@RequestBody String body) {
            outbox.stage("receipts", "message " + body);
            return "answer " + body;
        }

        @PostMapping("/leased")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        public String leased(@RequestBody String body) {
            return "answer " + body;
        }

        @PostMapping("/flow")
        @Idempotent(mode = Idempotent.Mode.FLOW)
        public String flow(@RequestBody String body) throws Exception {
            flows.runForCurrentCall(orders, body);
            return "never seen";
        }

        @PostMapping("/method")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        public String method(@RequestBody String body) {
            return bank.pay("a-payment", body);
        }
    }

    @Service
    static class Bank {
        @Idempotent(key = "#id")
        @Transactional
        public String pay(String id, String body) {
            return "answer " + body;
        }
    }

    static class Parts {
        @Bean
        Flow<String, String, Connection> orders() {
            return Flow.of("orders", String.class, String.class)
                    .namespace(RouteProtection.NAMESPACE)
                    .phase("started", (tx, at) -> PhaseResult.goTo("second"))
                    .phase("second", (tx, at) -> PhaseResult.finish(200, "answer " + at.request()))
                    .build();
        }

        @Bean
        RelayCustomizer receipts() {
            return relay ->
                    relay.handle(TopicSettings.of("receipts"), (tx, delivery) -> DELIVERED.add(delivery.bodyText()));
        }
    }

    static class ByProperty {}

    static class ByRing {
        @Bean
        EncryptionKeyRing ring() {
            return EncryptionKeyRing.of("2026-11", secret(1));
        }
    }

    static class ByStore {
        @Bean
        JdbcStore plain(DataSource dataSource) {
            return JdbcStore.on(dataSource);
        }

        @Bean
        EncryptingStore encrypting(JdbcStore plain) {
            return EncryptingStore.around(plain, EncryptionKeyRing.of("2026-11", secret(1)));
        }
    }

    static Stream<Arguments> ways() {
        return Stream.of(
                Arguments.of(ByProperty.class, List.of(KEYS)),
                Arguments.of(ByRing.class, List.of()),
                Arguments.of(ByStore.class, List.of()));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void nothingIsStoredInTheClear(Class<?> way, List<String> settings, CapturedOutput output) throws Exception {
        String url = PostgresServer.shared().freshDatabase();
        DELIVERED.clear();
        try (var shop = StartTestApplication.start(url, settings, Shop.class, Bank.class, Parts.class, way)) {
            assertThat(output.getAll()).contains("Refrain: store PostgreSQL").contains(", encrypted; scope");
            assertThat(output.getAll()).doesNotContain(SECRET);
            for (String mode : List.of("transactional", "leased", "flow", "method")) {
                var first = shop.post("/" + mode, "a-key-for-" + mode, WORD);
                var again = shop.post("/" + mode, "a-key-for-" + mode, WORD);

                assertThat(first.body()).as(mode).contains("answer " + WORD);
                assertThat(again.body()).isEqualTo(first.body());
                assertThat(again.headers().firstValue("Idempotent-Replayed")).isPresent();
            }
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(DELIVERED).containsExactly("message " + WORD));
        }
        assertThat(tablesWith(url, WORD)).isEmpty();
        // A store in the clear would have failed the line above.
        assertThat(tablesWith(url, "a-key-for-leased")).contains("refrain_record");
    }

    static List<String> tablesWith(String url, String word) {
        var jdbc = new JdbcTemplate(new DriverManagerDataSource(url));
        String bytes = HexFormat.of().formatHex(word.getBytes(StandardCharsets.UTF_8));
        var found = new ArrayList<String>();
        for (String table : jdbc.queryForList(
                "SELECT table_name FROM information_schema.tables WHERE table_name LIKE 'refrain%'", String.class)) {
            for (String row : jdbc.queryForList("SELECT t::text FROM " + table + " t", String.class)) {
                if (row.contains(word) || row.contains(bytes)) {
                    found.add(table);
                }
            }
        }
        return found;
    }

    static class InMemory {
        @Bean
        MemoryStore store() {
            return new MemoryStore();
        }
    }

    @Test
    void keysThatWouldEncryptNothingAreRefused(CapturedOutput output) {
        refused(List.of(KEYS), output, "refrain.encryption.keys is set, but the default store", InMemory.class);
    }

    @Test
    void ringThatWouldEncryptNothingIsRefused(CapturedOutput output) {
        refused(
                List.of(),
                output,
                "The EncryptionKeyRing bean ring encrypts what is stored, but the default store (memory",
                InMemory.class,
                ByRing.class);
    }

    static class StoreInsideOfNoBean {
        @Bean
        EncryptingStore encrypting(DataSource dataSource) {
            return EncryptingStore.around(JdbcStore.on(dataSource), EncryptionKeyRing.of("2026-11", secret(1)));
        }
    }

    @RestController
    static class InTransaction {
        @PostMapping("/transactional")
        @Idempotent
        @Transactional
        public String inTransaction(@RequestBody String body) {
            return body;
        }
    }

    @Test
    void transactionalHandlerOnStoreThatHidesItsTransactionsIsRefusedWithAdvice(CapturedOutput output) {
        refused(
                List.of(),
                output,
                "If the EncryptingStore bean is around a JdbcStore, make that a bean too",
                StoreInsideOfNoBean.class,
                InTransaction.class);
    }

    static class OwnRefrain {
        @Bean
        Refrain own() {
            return Refrain.using(new MemoryStore());
        }
    }

    /** A Refrain of the application's own is not made by the starter, and is checked all the same. */
    @Test
    void ringBesideOwnRefrainInTheClearIsRefused(CapturedOutput output) {
        refused(
                List.of(),
                output,
                "The EncryptionKeyRing bean ring encrypts what is stored, but the default store (memory",
                OwnRefrain.class,
                ByRing.class);
    }

    @Test
    void malformedKeysAreRefusedWithoutShowingThem(CapturedOutput output) {
        refused(List.of("refrain.encryption.keys=" + SECRET), output, "Cannot read the encryption keys");
        assertThat(output.getAll()).doesNotContain(SECRET.substring(0, 20));
    }

    @Test
    void instanceWithoutTheKeysOrWithOthersIsRefused(CapturedOutput output) {
        String url = PostgresServer.shared().freshDatabase();
        StartTestApplication.start(url, List.of(KEYS), InClear.class).close();
        refused(url, List.of(), output, "other instances encrypt in it", InClear.class);
        assertThat(output.getAll()).contains("in Spring Boot refrain.encryption.keys");
        String other = Base64.getEncoder().encodeToString(secret(2));
        refused(url, List.of("refrain.encryption.keys=2026-11=" + other), output, "is another secret", InClear.class);
        refused(
                url,
                List.of("refrain.encryption.keys=2027-01=" + other),
                output,
                "was encrypted with the keys 2026-11, and the ring has none of them (it has 2027-01)",
                InClear.class);
    }

    /** Keys that were stored in the clear can be replayed, or the start says why not and what to do. */
    @Test
    void encryptionIsEnabledOnStoreWithKeysThatAreReadPlainUntilTheyExpire(CapturedOutput output) throws Exception {
        String url = PostgresServer.shared().freshDatabase();
        try (var before = StartTestApplication.start(url, List.of(), InClear.class)) {
            assertThat(before.post("/leased", "before", WORD).statusCode()).isEqualTo(200);
        }

        refused(url, List.of(KEYS), output, "refrain.encryption.read-plain=true", InClear.class);

        try (var both =
                StartTestApplication.start(url, List.of(KEYS, "refrain.encryption.read-plain=true"), InClear.class)) {
            var replayed = both.post("/leased", "before", WORD);
            assertThat(replayed.body()).isEqualTo(WORD);
            assertThat(replayed.headers().firstValue("Idempotent-Replayed")).isPresent();
            assertThat(both.post("/leased", "after", "other-word").statusCode()).isEqualTo(200);
        }
        assertThat(tablesWith(url, "other-word")).isEmpty();

        try (var tooEarly = StartTestApplication.start(url, List.of(KEYS), InClear.class)) {
            assertThat(tooEarly.post("/leased", "after", "other-word").body()).isEqualTo("other-word");
            var unreadable = tooEarly.post("/leased", "before", WORD);
            assertThat(unreadable.statusCode()).isEqualTo(500);
            assertThat(unreadable.body()).contains("answer-unreadable", "\"retryable\":false");
            assertThat(tooEarly.post("/leased", "before", "another request").statusCode())
                    .isEqualTo(422);
        }
    }

    @RestController
    static class InClear {
        @PostMapping("/leased")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        public String leased(@RequestBody String body) {
            return body;
        }
    }

    private static void refused(List<String> settings, CapturedOutput output, String sentence, Class<?>... parts) {
        var all = new ArrayList<Class<?>>(List.of(parts));
        all.add(InClear.class);
        refused(PostgresServer.shared().freshDatabase(), settings, output, sentence, all.toArray(Class<?>[]::new));
    }

    private static void refused(
            String url, List<String> settings, CapturedOutput output, String sentence, Class<?>... parts) {
        assertThatThrownBy(() -> StartTestApplication.start(url, settings, parts))
                .isInstanceOf(Exception.class);
        assertThat(output.getAll())
                .contains("APPLICATION FAILED TO START", "Description:", sentence, "Action:")
                .doesNotContain("\tat ")
                .doesNotContain(StartTestApplication.SERVER_NOISE);
    }
}
