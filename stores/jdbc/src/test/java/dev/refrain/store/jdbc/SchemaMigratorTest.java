package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.AbilityFlaw.instead;
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
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.ds.PGSimpleDataSource;

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
                try (var store = starting.get(i).get(1, TimeUnit.MINUTES)) {
                    acquired(store, claimRequest("k" + i));
                }
            }
        }
        assertThat(new RawSql(source).number("SELECT count(*) FROM refrain_meta WHERE name = 'schema'"))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("freshDatabases")
    void tablesAreNotCreatedWithoutMigration(DataSource source) {
        var apart = JdbcStore.builder(source).migrate(false);

        assertThatThrownBy(apart::build)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("tables are missing")
                .hasMessageContaining("refrain schema --dialect ");

        JdbcStore.on(source).close();
        apart.build().close();
    }

    /** Where a dialect has none, to name them would send people looking for what is not there. */
    @ParameterizedTest
    @MethodSource("freshDatabases")
    void missingTablesAreReportedWithTheFilesThatThereAre(DataSource source) throws Exception {
        String dialect;
        try (var connection = source.getConnection()) {
            dialect = DialectRegistry.of(connection).name();
        }
        String files = "dev/refrain/db/" + dialect;
        boolean shipped = JdbcStore.class.getResource("/" + files + "/R__refrain_tables.sql") != null;

        assertThatThrownBy(() -> JdbcStore.builder(source).migrate(false).build())
                .satisfies(refused -> {
                    if (shipped) {
                        assertThat(refused).hasMessageContaining("classpath:" + files);
                    } else {
                        assertThat(refused).hasMessageNotContaining("classpath:");
                    }
                });
        assertThat(shipped).isEqualTo(dialect.equals("postgresql"));
    }

    @ParameterizedTest
    @MethodSource("freshDatabases")
    void schemaOfTheScriptIsTheOneThatTheCodeNeeds(DataSource source) throws Exception {
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
    void tablesOfALaterVersionAreRefusedUnlessTheyAllowThisOne(DataSource source) {
        JdbcStore.on(source).close();
        for (String unsaidOrLater : List.of("NULL", "99")) {
            new RawSql(source)
                    .execute("UPDATE refrain_meta SET version = 99, oldest_reader = " + unsaidOrLater
                            + " WHERE name = 'schema'");

            assertThatThrownBy(() -> JdbcStore.on(source))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining(
                            "have version 99, which needs code of version 99 or later, and this code knows only "
                                    + SchemaMigrator.LATEST + ": upgrade Refrain");
        }
    }

    @ParameterizedTest
    @MethodSource("freshDatabases")
    void tablesOfAnEarlierVersionAreRefusedIfTheyMayNotBeMigrated(DataSource source) {
        JdbcStore.on(source).close();
        new RawSql(source).execute("UPDATE refrain_meta SET version = 1 WHERE name = 'schema'");

        assertThatThrownBy(() -> JdbcStore.builder(source).migrate(false).build())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(
                        "have version 1 and this code needs " + SchemaMigrator.LATEST + ": let JdbcStore migrate");
    }

    @ParameterizedTest
    @MethodSource("freshDatabases")
    void versionThatWasNeverWrittenIsRefused(DataSource source) {
        JdbcStore.on(source).close();
        new RawSql(source).execute("UPDATE refrain_meta SET version = -1 WHERE name = 'schema'");
        assertThatThrownBy(() -> JdbcStore.on(source))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(
                        "refrain_meta has version -1, which Refrain never writes. Restore its row 'schema'");

        new RawSql(source).execute("DELETE FROM refrain_meta WHERE name = 'schema'");
        assertThatThrownBy(() -> JdbcStore.on(source))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("refrain_meta has no version");
    }

    @Test
    void schemaWithASemicolonIsRefused() {
        var builder = JdbcStore.builder(new PGSimpleDataSource());

        assertThatThrownBy(() -> builder.schema("own; DROP TABLE payment"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("contains a semicolon");
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
    void schemaOfItsOwnKeepsTheTablesApart() {
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
                transaction.complete(wish, record, null);
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
    void databaseThatIsNotKnownIsRefusedWithThoseThatAre() {
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
                        "The database reports its name as Oracle, which JdbcStore does not support. It supports postgresql, mysql, sqlite.");
        assertThatThrownBy(() -> SchemaScript.of("oracle"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("postgresql, mysql, sqlite");
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

    /** A changed search path must not begin with an empty store: every retry would run again. */
    @Test
    void storeThatWouldBeginAnewBesideOlderKeysIsRefused() throws Exception {
        var source = TestDatabases.freshPostgres();
        JdbcStore.on(source).close();
        var sql = new RawSql(source);
        String first = sql.text("SELECT current_schema()");
        sql.execute("CREATE SCHEMA moved");
        sql.execute(
                "DO $do$ BEGIN EXECUTE 'ALTER DATABASE ' || quote_ident(current_database()) || ' SET search_path = moved'; END $do$");
        try {
            assertThatThrownBy(() -> JdbcStore.on(source))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("not in moved")
                    .hasMessageContaining("but in " + first)
                    .hasMessageContaining("refrain.store.schema");

            JdbcStore.builder(source).schema(first).build().close();
            assertThat(sql.number("SELECT count(*) FROM pg_tables WHERE schemaname = 'moved'"))
                    .isZero();
            JdbcStore.builder(source).schema("moved").build().close();
            JdbcStore.on(source).close();
        } finally {
            sql.execute(
                    "DO $do$ BEGIN EXECUTE 'ALTER DATABASE ' || quote_ident(current_database()) || ' RESET search_path'; END $do$");
        }
    }

    /** Each application may have a schema of its own in one database: it starts, and one line names both. */
    @Test
    void storeThatBeginsAnewInAChosenSchemaBesideOlderKeysWarnsOnce() {
        var source = TestDatabases.freshPostgres();
        String first = new RawSql(source).text("SELECT current_schema()");
        assertThat(MigratorLog.during(() -> started(JdbcStore.builder(source)))).isEmpty();

        assertThat(MigratorLog.during(() -> started(JdbcStore.builder(source).schema("chosen"))))
                .singleElement()
                .asString()
                .contains(
                        "begins without keys in the schema chosen",
                        "tables of Refrain in " + first + ".",
                        "refrain.store.schema) to " + first + ".");
        assertThat(MigratorLog.during(() -> started(JdbcStore.builder(source).schema("chosen"))))
                .as("the second start")
                .isEmpty();
        new RawSql(source).execute("CREATE SCHEMA connected");
        var connected = (PGSimpleDataSource) source;
        connected.setCurrentSchema("connected");
        assertThat(MigratorLog.during(() -> started(JdbcStore.builder(connected))))
                .singleElement()
                .asString()
                .contains("in the schema connected", "in chosen, " + first + ".");
    }

    private static String started(JdbcStoreBuilder builder) {
        try (var store = builder.build()) {
            return store.traits().name();
        }
    }

    /** It saw no tables, and then finds those that the other one has just created: they are its own. */
    @Test
    void tablesThatAnotherInstanceCreatesMeanwhileAreNotTakenForThoseOfAnotherSchema() {
        var direct = TestDatabases.freshPostgres();
        var other = new AtomicBoolean();
        var slow = instead(
                DataSource.class,
                direct,
                "getConnection",
                (source, none) -> instead(
                        Connection.class, source.getConnection(), "prepareStatement", (connection, arguments) -> {
                            String sql = (String) arguments[0];
                            if (sql.contains("'refrain' || '_meta'") && !other.getAndSet(true)) {
                                JdbcStore.on(direct).close();
                            }
                            return connection.prepareStatement(sql);
                        }));

        JdbcStore.on(slow).close();

        assertThat(other).isTrue();
    }
}
