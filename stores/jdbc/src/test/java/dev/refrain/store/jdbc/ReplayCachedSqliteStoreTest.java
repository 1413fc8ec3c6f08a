package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.Outcome;
import dev.refrain.servers.RedisServer;
import dev.refrain.store.Store;
import dev.refrain.store.contract.StoreHarness;
import dev.refrain.store.encryption.EncryptingStore;
import dev.refrain.store.encryption.EncryptionKeyRing;
import dev.refrain.store.redis.ManualReplayClock;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A replay cache changes nothing of what a database and its abilities promise. */
@EnabledIfSystemProperty(
        named = "tests.stores",
        matches = "true",
        disabledReason = "the suites of the memory store with a replay cache run always: -Pstores")
class ReplayCachedSqliteStoreTest extends JdbcStoreContract {

    private static final Outcome.Answer BOOKED = Outcome.Answer.of(200, new byte[] {1});

    private static RedisServer server;

    @TempDir
    Path directory;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    protected StoreHarness newHarness() {
        return new ReplayCachedHarness(server, around -> new SqliteStoreHarness(directory, around));
    }

    private Store cached(JdbcStore database) {
        return new ManualReplayClock().around(database, server.url() + "?key-prefix=own&timeout=60s");
    }

    @Test
    void transactionsOfTheDatabaseAreUsedAsTheyAre() {
        var database = JdbcStore.sqlite(directory.resolve("own.db"));
        try (var store = cached(database);
                var refrain = Refrain.using(store)) {
            var operation = refrain.operation("book").transactional(database.transactions());
            for (int i = 0; i < 40; i++) {
                assertThat(operation.run(
                                OperationCall.scope("acme")
                                        .key("key-1-of-bookings")
                                        .request("a room"),
                                (claim, connection) -> BOOKED))
                        .isEqualTo(BOOKED);
            }
        }
    }

    @Test
    void plainTransactionsBesideEncryptionAroundTheCacheAreStillRefused() {
        var ring = EncryptionKeyRing.of("2026-01", new byte[32]);
        var database = JdbcStore.sqlite(directory.resolve("encrypted.db"));
        try (var store = cached(database);
                var refrain = Refrain.using(EncryptingStore.around(store, ring))) {
            assertThatThrownBy(() -> refrain.operation("book").transactional(database.transactions()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("stored in the clear");
        }
    }
}
