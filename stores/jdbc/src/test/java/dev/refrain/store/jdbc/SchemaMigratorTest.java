package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.store.StoreException;
import dev.refrain.store.jdbc.internal.DialectRegistry;
import dev.refrain.store.jdbc.internal.schema.SchemaMigrator;
import dev.refrain.store.jdbc.internal.sql.SqlScript;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sqlite.SqliteDataSourceFactory;
import dev.refrain.store.outbox.MessageLeaseRequest;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A schema that is missing, older or newer than the code is told in one sentence at the start. */
class SchemaMigratorTest {

    @TempDir
    static Path directory;

    private static final int STARTING = 12;

    private static int files;

    static Stream<DataSource> freshDatabases() {
        return Stream.of(
                TestDatabases.freshPostgres(), SqliteDataSourceFactory.at(directory.resolve("m" + files++ + ".db")));
    }

    @ParameterizedTest
    @MethodSource("freshDatabases")
    void processesThatStartAtOnceMigrateOnce(DataSource source) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var start = new CyclicBarrier(STARTING);
            var starting = new ArrayList<Future<JdbcStore>>();
            for (int i = 0; i < STARTING; i++) {
                starting.add(threads.submit(() -> {
                    start.await();
                    return JdbcStore.on(source);
                }));
            }
            for (int i = 0; i < STARTING; i++) {
                try (var store = starting.get(i).get(30, TimeUnit.SECONDS)) {
                    acquired(store, claimRequest("k" + i));
                }
            }
        }
        assertThat(new RawSql(source).number("SELECT count(*) FROM refrain_meta WHERE name = 'schema'"))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("freshDatabases")
    void tablesAreNotMadeIfToldNotTo(DataSource source) {
        var apart = JdbcStore.builder(source).migrate(false);

        assertThatThrownBy(apart::build)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("tables are missing")
                .hasMessageContaining("refrain schema --dialect ");

        JdbcStore.on(source).close();
        apart.build().close();
    }

    @ParameterizedTest
    @MethodSource("freshDatabases")
    void whatTheScriptMakesIsWhatTheCodeNeeds(DataSource source) throws Exception {
        try (var connection = source.getConnection()) {
            var script = SchemaScript.of(DialectRegistry.of(connection).name());
            for (var statement : SqlScript.parse("schema", script.text()).statements()) {
                new RawSql(source).execute(statement.sql());
            }
            assertThat(script.version()).isEqualTo(SchemaMigrator.LATEST);
        }
        try (var store = JdbcStore.builder(source).migrate(false).build()) {
            acquired(store, claimRequest("k"));
        }
    }

    @ParameterizedTest
    @MethodSource("freshDatabases")
    void tablesOfALaterVersionAreRefused(DataSource source) {
        JdbcStore.on(source).close();
        new RawSql(source).execute("UPDATE refrain_meta SET version = 99 WHERE name = 'schema'");

        assertThatThrownBy(() -> JdbcStore.on(source))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(
                        "have version 99 and this code knows only " + SchemaMigrator.LATEST + ": upgrade Refrain");
    }

    @ParameterizedTest
    @MethodSource("freshDatabases")
    void tablesOfAnEarlierVersionAreRefusedIfTheyMayNotBeMigrated(DataSource source) {
        JdbcStore.on(source).close();
        new RawSql(source).execute("UPDATE refrain_meta SET version = -1 WHERE name = 'schema'");

        assertThatThrownBy(() -> JdbcStore.builder(source).migrate(false).build())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(
                        "have version -1 and this code needs " + SchemaMigrator.LATEST + ": let JdbcStore migrate");
    }

    @ParameterizedTest
    @MethodSource("freshDatabases")
    void tablesOfAnEarlierVersionAreMigrated(DataSource source) throws Exception {
        try (var connection = source.getConnection()) {
            var scripts = new SqlScriptLibrary(DialectRegistry.of(connection), "");
            String first = scripts.migration(SchemaMigrator.FILES.getFirst());
            for (var statement : SqlScript.parse("first", first).statements()) {
                new RawSql(source).execute(statement.sql());
            }
        }
        JdbcStore.on(source).close();
        assertThat(new RawSql(source).number("SELECT version FROM refrain_meta WHERE name = 'schema'"))
                .isEqualTo(SchemaMigrator.LATEST);
        assertThat(new RawSql(source).number("SELECT count(*) FROM refrain_outbox"))
                .isZero();
    }

    @Test
    void aSchemaOfItsOwnKeepsTheTablesApart() {
        var source = TestDatabases.freshPostgres();
        try (var store = JdbcStore.builder(source).schema("Refrain's own").build();
                var again = JdbcStore.builder(source)
                        .schema("Refrain's own")
                        .migrate(false)
                        .build()) {
            var first = acquired(store, claimRequest("k"));
            assertThat(ClaimRequestFixtures.found(again, claimRequest("k")).claim())
                    .isEqualTo(first.claim());
            assertThat(store.countKeys("tenant", 10)).isEqualTo(1);
            try (var transaction = store.transactions().begin()) {
                var wish = claimRequest("t");
                var record = ClaimRequestFixtures.record(transaction.tryClaim(wish), true);
                transaction.complete(wish, record, java.util.Optional.empty());
                transaction.commit();
            }
            assertThat(store.countKeys("tenant", 10)).isEqualTo(2);
            assertThat(store.outbox().leaseMessages(new MessageLeaseRequest("t", Duration.ofSeconds(1), 1, 1, 1)))
                    .isEmpty();
        }
        assertThat(new RawSql(source).text("SELECT to_regclass('public.refrain_record')"))
                .isNull();
    }

    @Test
    void aDatabaseThatIsNotKnownIsRefusedWithThoseThatAre() {
        var metaData = (DatabaseMetaData) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DatabaseMetaData.class}, (p, method, args) -> "Oracle");
        var connection = (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Connection.class},
                (p, method, args) -> method.getName().equals("getMetaData") ? metaData : null);
        var oracle = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (p, method, args) -> connection);

        assertThatThrownBy(() -> JdbcStore.on(oracle))
                .isInstanceOf(StoreException.class)
                .hasMessage(
                        "The database calls itself Oracle, which JdbcStore does not know; it knows postgresql, sqlite.");
        assertThatThrownBy(() -> SchemaScript.of("oracle"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("postgresql, sqlite");
    }

    @Test
    void storesInTwoSchemasOfADatabaseShareNothing() {
        var source = TestDatabases.freshPostgres();
        try (var one = JdbcStore.builder(source).schema("one").build();
                var other = JdbcStore.builder(source).schema("other").build()) {
            var sql = new RawSql(source);
            String tables = "SELECT count(*) FROM pg_tables WHERE tablename LIKE 'refrain%' AND schemaname = ";
            assertThat(sql.number(tables + "'one'")).isPositive().isEqualTo(sql.number(tables + "'other'"));
            assertThat(sql.number(tables + "'public'")).isZero();
        }
    }
}
