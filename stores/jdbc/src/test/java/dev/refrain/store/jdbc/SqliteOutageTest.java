package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequests;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.internal.sqlite.SqliteDataSourceFactory;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** The real failures of a real SQLite file. */
class SqliteOutageTest {

    @TempDir
    Path directory;

    private DataSource source;

    @BeforeEach
    void prepare() {
        source = SqliteDataSourceFactory.at(directory.resolve("refrain.db"));
    }

    @Test
    void writerThatDoesNotLetGoIsWaitedForOnlySoLong() throws SQLException {
        try (var store = JdbcStore.builder(source)
                        .lockTimeout(Duration.ofMillis(50))
                        .statementTimeout(Duration.ofMillis(200))
                        .build();
                var writer = source.getConnection();
                var statement = writer.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            failsWith(Effect.NONE, true, () -> store.claim(claimRequests("k", 2)));
            assertThat(store.find(List.of(claimRequest("k1").identity())).getFirst())
                    .isEmpty();
            statement.execute("ROLLBACK");

            var wishes = claimRequests("k", 2);
            await().ignoreExceptionsMatching(e -> e instanceof StoreException busy && busy.isTransient())
                    .untilAsserted(
                            () -> assertThat(store.claim(wishes)).hasOnlyElementsOfType(ClaimResponse.Acquired.class));
        }
    }

    @Test
    void replayNeedsNoWriteLock() throws SQLException {
        try (var store = JdbcStore.on(source);
                var writer = source.getConnection();
                var statement = writer.createStatement()) {
            store.write(List.of(complete(acquired(store, claimRequest("k")).claim(), "done")));
            statement.execute("BEGIN IMMEDIATE");

            assertThat(ClaimRequestFixtures.found(store, claimRequest("k")).outcome())
                    .contains(payload("done"));
            statement.execute("ROLLBACK");
        }
    }

    @Test
    void fullDatabaseIsRefusedAndNothingHappened() throws SQLException {
        try (var store = JdbcStore.on(limited())) {
            var claimed = acquired(store, claimRequest("k"));
            var large = new RecordWrite.Complete(
                    claimed.claim(), Optional.of(dev.refrain.api.Payload.of(new byte[1 << 20])), Optional.empty());

            assertThatThrownBy(() -> store.write(List.of(large)))
                    .asInstanceOf(type(StoreException.class))
                    .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.NONE))
                    .satisfies(e -> assertThat(e.isTransient()).isFalse())
                    .satisfies(e -> assertThat(e).hasMessageContaining("make room"));

            assertThat(store.find(List.of(claimRequest("k").identity()))
                            .getFirst()
                            .orElseThrow()
                            .claim())
                    .isEqualTo(claimed.claim());
            assertThat(store.write(List.of(complete(claimed.claim(), "small")))).hasSize(1);
        }
    }

    private DataSource limited() {
        var config = new SQLiteConfig();
        config.setMaxPageCount(60);
        return at(config);
    }

    @Test
    void readOnlyFileIsRefusedWithAdvice() {
        JdbcStore.on(source).close();
        var config = new SQLiteConfig();
        config.setReadOnly(true);

        assertThatThrownBy(() -> {
                    try (var store = JdbcStore.on(at(config))) {
                        store.claim(claimRequests("k", 1));
                    }
                })
                .asInstanceOf(type(StoreException.class))
                .satisfies(e -> assertThat(e.isTransient()).isFalse())
                .satisfies(e -> assertThat(e).hasMessageContaining("read-only"));
    }

    @Test
    void fileThatCannotBeOpenedIsReported() {
        assertThatThrownBy(() -> JdbcStore.sqlite(directory.resolve("no/such/directory/refrain.db")))
                .isInstanceOf(StoreException.class);
    }

    @Test
    void databaseInMemoryIsRefused() {
        var memory = new SQLiteDataSource();
        memory.setUrl("jdbc:sqlite::memory:");

        assertThatThrownBy(() -> JdbcStore.on(memory))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("file on a local disk");
    }

    @Test
    void connectionOfTheStoreIsDurableOnCommit() throws SQLException {
        try (var store = JdbcStore.sqlite(directory.resolve("other.db"))) {
            assertThat(store.traits().durable()).isTrue();
            assertThat(store.traits().name()).startsWith("SQLite 3.");
        }
    }

    private DataSource at(SQLiteConfig config) {
        var limited = new SQLiteDataSource(config);
        limited.setUrl("jdbc:sqlite:" + directory.resolve("refrain.db"));
        return limited;
    }

    private static void failsWith(Effect effect, boolean passing, ThrowingCallable ask) {
        assertThatThrownBy(ask)
                .asInstanceOf(type(StoreException.class))
                .satisfies(e -> assertThat(e.effect()).isEqualTo(effect))
                .satisfies(e -> assertThat(e.isTransient()).isEqualTo(passing));
    }
}
