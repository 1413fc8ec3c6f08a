package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.servers.PostgresServer;
import dev.refrain.store.encryption.EncryptingStore;
import dev.refrain.store.encryption.EncryptionKeyRing;
import dev.refrain.store.jdbc.JdbcStore;
import dev.refrain.store.memory.MemoryStore;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** The application's keys encrypt its named stores too, in every mode that they have. */
@ExtendWith(OutputCaptureExtension.class)
class EncryptedNamedStoreTest {

    private static final String WORD = "planted-word";
    private static final String KEYS =
            "refrain.encryption.keys=2026-11=" + Base64.getEncoder().encodeToString(new byte[32]);

    @RestController
    static class Imports {
        private final Loads loads;

        Imports(Loads loads) {
            this.loads = loads;
        }

        @PostMapping("/transactional")
        @Idempotent(store = "bulk")
        @Transactional("bulkTransactions")
        public String inTransaction(@RequestBody String body) {
            return "answer " + body;
        }

        @PostMapping("/leased")
        @Idempotent(store = "bulk", mode = Idempotent.Mode.LEASED_HOLD)
        public String leased(@RequestBody String body) {
            return "answer " + body;
        }

        @PostMapping("/method")
        @Idempotent(store = "bulk", mode = Idempotent.Mode.LEASED_RESUME)
        public String method(@RequestBody String body) {
            return loads.load("a-load", body);
        }
    }

    @Service
    static class Loads {
        @Idempotent(key = "#id", store = "bulk")
        @Transactional("bulkTransactions")
        public String load(String id, String body) {
            return "answer " + body;
        }
    }

    static class ByProperty {}

    static class ByRing {
        @Bean
        EncryptionKeyRing ring() {
            return EncryptionKeyRing.of("2026-11", new byte[32]);
        }
    }

    static class ByStore {
        @Bean
        EncryptingStore bulkKeys(@Qualifier("bulk") DataSource bulk) {
            return EncryptingStore.around(JdbcStore.on(bulk), EncryptionKeyRing.of("2026-11", new byte[32]));
        }
    }

    static Stream<Arguments> ways() {
        return Stream.of(
                Arguments.of(ByProperty.class, new String[] {TwoPostgresDatabases.ON_DATA_SOURCE, KEYS}),
                Arguments.of(ByRing.class, new String[] {TwoPostgresDatabases.ON_DATA_SOURCE}),
                Arguments.of(ByStore.class, new String[] {"refrain.stores.bulk.bean=bulkKeys"}));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void nothingIsInTheClearInNamedStore(Class<?> way, String[] settings, CapturedOutput output) throws Exception {
        String bulk = PostgresServer.shared().freshDatabase();
        try (var shop = StartTestApplication.start(
                PostgresServer.shared().freshDatabase(),
                TwoPostgresDatabases.settings(bulk, settings),
                TwoPostgresDatabases.class,
                Imports.class,
                Loads.class,
                way)) {
            assertThat(output.getAll()).containsPattern("store bulk \\(PostgreSQL [^)]*\\), encrypted");
            for (String mode : List.of("transactional", "leased", "method")) {
                var first = shop.post("/" + mode, "a-key-for-" + mode, WORD);
                var again = shop.post("/" + mode, "a-key-for-" + mode, WORD);

                assertThat(first.body()).as(mode).isEqualTo("answer " + WORD);
                assertThat(again.body()).isEqualTo(first.body());
                assertThat(again.headers().firstValue("Idempotent-Replayed")).isPresent();
            }
        }
        assertThat(EncryptedServiceTest.tablesWith(bulk, WORD)).isEmpty();
        assertThat(EncryptedServiceTest.tablesWith(bulk, "a-key-for-transactional"))
                .contains("refrain_record");
    }

    @Test
    void namedStoreWithKeysInTheClearIsNamedAndRefused(CapturedOutput output) throws Exception {
        String orders = PostgresServer.shared().freshDatabase();
        var settings = TwoPostgresDatabases.settings(
                PostgresServer.shared().freshDatabase(), TwoPostgresDatabases.ON_DATA_SOURCE);
        Class<?>[] parts = {TwoPostgresDatabases.class, Imports.class, Loads.class};
        try (var before = StartTestApplication.start(orders, settings, parts)) {
            assertThat(before.post("/transactional", "before", WORD).statusCode())
                    .isEqualTo(200);
        }
        var encrypted = Stream.concat(settings.stream(), Stream.of(KEYS)).toList();

        assertThatThrownBy(() -> StartTestApplication.start(orders, encrypted, parts))
                .isInstanceOf(Exception.class);

        assertThat(output.getAll())
                .contains("APPLICATION FAILED TO START", "refrain.stores.bulk: ", "refrain.encryption.read-plain=true")
                .doesNotContain("\tat ");
        var reading = Stream.concat(encrypted.stream(), Stream.of("refrain.encryption.read-plain=true"))
                .toList();
        try (var after = StartTestApplication.start(orders, reading, parts)) {
            assertThat(after.post("/transactional", "before", WORD).body()).isEqualTo("answer " + WORD);
        }
    }

    static class InMemory {
        @Bean
        MemoryStore quickStore() {
            return new MemoryStore();
        }
    }

    static class RingAndMemory {
        @Bean
        EncryptionKeyRing ring() {
            return EncryptionKeyRing.of("2026-11", new byte[32]);
        }

        @Bean
        MemoryStore quickStore() {
            return new MemoryStore();
        }
    }

    /** A ring that is there says that nothing may be stored in the clear, in a store of any kind. */
    @Test
    void ringBesideNamedStoreThatDoesNotEncryptIsRefused(CapturedOutput output) {
        var settings = TwoPostgresDatabases.settings(
                PostgresServer.shared().freshDatabase(),
                TwoPostgresDatabases.ON_DATA_SOURCE,
                "refrain.stores.quick.bean=quickStore");

        assertThatThrownBy(() -> StartTestApplication.start(
                        PostgresServer.shared().freshDatabase(),
                        settings,
                        TwoPostgresDatabases.class,
                        Imports.class,
                        Loads.class,
                        RingAndMemory.class))
                .isInstanceOf(Exception.class);

        assertThat(output.getAll())
                .contains(
                        "APPLICATION FAILED TO START",
                        "The EncryptionKeyRing bean ring encrypts what is stored, but the store quick (memory",
                        "EncryptingStore.around(store, ring)")
                .doesNotContain("\tat ");
    }

    @Test
    void keysBesideNamedStoreThatDoesNotEncryptAreRefused(CapturedOutput output) {
        var settings = TwoPostgresDatabases.settings(
                PostgresServer.shared().freshDatabase(),
                TwoPostgresDatabases.ON_DATA_SOURCE,
                KEYS,
                "refrain.stores.quick.bean=quickStore");

        assertThatThrownBy(() -> StartTestApplication.start(
                        PostgresServer.shared().freshDatabase(),
                        settings,
                        TwoPostgresDatabases.class,
                        Imports.class,
                        Loads.class,
                        InMemory.class))
                .isInstanceOf(Exception.class);

        assertThat(output.getAll()).contains("refrain.encryption.keys is set, but the store quick (memory");
    }
}
