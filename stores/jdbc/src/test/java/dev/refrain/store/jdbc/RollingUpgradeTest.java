package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claim;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequests;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.found;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.payload;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.retryOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.jdbc.internal.DialectRegistry;
import dev.refrain.store.jdbc.internal.schema.SchemaMigrator;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sqlite.SqliteDataSourceFactory;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.StagedMessage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Instances of two versions share the tables during a rollout, and the older one starts again when it is undone. */
class RollingUpgradeTest {

    private static final int TODAY = SchemaMigrator.LATEST;

    private static final List<String> NEXT = followedBy("planted_addition");

    private static final List<String> BREAKING = followedBy("planted_break");

    private static final List<String> DIALECTS = DialectRegistry.known();

    /** The first migration that says who may read its tables. */
    private static final int FIRST_TO_SAY = 5;

    private static final int KEYS = 60;

    @TempDir
    static Path directory;

    private static int files;

    static Stream<DataSource> freshDatabases() {
        return Stream.of(
                TestDatabases.freshPostgres(), SqliteDataSourceFactory.at(directory.resolve("r" + files++ + ".db")));
    }

    private static List<String> followedBy(String planted) {
        return Stream.concat(SchemaMigrator.FILES.stream(), Stream.of(planted)).toList();
    }

    @ParameterizedTest
    @MethodSource("freshDatabases")
    void runningStoreGoesOnWhenTheNextVersionMigratesUnderIt(DataSource source) {
        try (var today = JdbcStore.on(source)) {
            var before = claimRequest("claimed before");
            var claim = acquired(today, before).claim();
            var replayed = claimRequest("completed before");
            write(today, complete(acquired(today, replayed).claim(), "kept"));

            try (var next = JdbcStore.builder(source).migrations(NEXT).build()) {
                assertThat(SchemaVersion.of(source, "")).isEqualTo(new SchemaVersion(TODAY + 1, TODAY));

                assertThat(found(next, retryOf(before)).state()).isEqualTo(RecordState.IN_PROGRESS);
                write(today, complete(claim, "done by today's"));
                assertThat(outcome(next, before)).isEqualTo("done by today's");
                assertThat(outcome(next, replayed)).isEqualTo("kept");
                everythingWorks(today, "today's beside the next");
                everythingWorks(next, "the next beside today's");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("freshDatabases")
    void undoneRolloutStartsTheOldCodeOnTheNewerTables(DataSource source) {
        var wish = claimRequest("claimed by the next");
        var done = claimRequest("completed by the next");
        var messages = new ArrayList<String>();
        JdbcStore.on(source).close();
        try (var next = JdbcStore.builder(source).migrations(NEXT).build()) {
            acquired(next, wish);
            write(next, complete(acquired(next, done).claim(), "kept"));
            new RawSql(source).execute("UPDATE refrain_record SET planted = 'only the next knows'");
        }

        for (boolean migrates : List.of(true, false)) {
            messages.addAll(MigratorLog.during(() -> {
                try (var today = JdbcStore.builder(source).migrate(migrates).build()) {
                    assertThat(outcome(today, done)).isEqualTo("kept");
                    assertThat(found(today, retryOf(wish)).state()).isEqualTo(RecordState.IN_PROGRESS);
                    everythingWorks(today, "today's again, migrates: " + migrates);
                }
                return true;
            }));
        }
        assertThat(messages)
                .hasSize(2)
                .allSatisfy(message -> assertThat(message)
                        .contains("have version " + (TODAY + 1), "version " + TODAY + " of this code", "as they are"));

        try (var today = JdbcStore.on(source)) {
            var own = acquired(today, wish);
            write(today, complete(own.claim(), "finished by today's"));
        }
        try (var again = JdbcStore.builder(source).migrations(NEXT).build()) {
            assertThat(outcome(again, wish)).isEqualTo("finished by today's");
            assertThat(new RawSql(source)
                            .number("SELECT count(*) FROM refrain_record WHERE planted = 'only the next knows'"))
                    .isEqualTo(2);
            assertThat(SchemaVersion.of(source, "")).isEqualTo(new SchemaVersion(TODAY + 1, TODAY));
        }
    }

    @ParameterizedTest
    @MethodSource("freshDatabases")
    void eachKeyRunsOnceWhileBothVersionsClaimIt(DataSource source) throws Exception {
        try (var today = JdbcStore.on(source);
                var next = JdbcStore.builder(source).migrations(NEXT).build();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var wishes = claimRequests("shared", KEYS);
            var ran = threads
                    .invokeAll(Stream.of(today, next, today, next)
                            .<Callable<List<String>>>map(store -> () -> runAll(store, wishes))
                            .toList())
                    .stream()
                    .flatMap(all -> all.resultNow().stream())
                    .toList();

            assertThat(ran).doesNotHaveDuplicates().hasSize(KEYS);
            for (var wish : wishes) {
                assertThat(outcome(today, wish)).isEqualTo(outcome(next, wish)).isNotEmpty();
            }
        }
    }

    /** Claims each and completes what was acquired; the keys that it ran. */
    private static List<String> runAll(Store store, List<ClaimRequest> wishes) {
        var ran = new ArrayList<String>();
        for (var wish : wishes) {
            if (claim(store, retryOf(wish)) instanceof ClaimResponse.Acquired taken) {
                ran.add(wish.identity().key());
                write(
                        store,
                        complete(taken.record().claim(), "ran " + taken.record().id()));
            }
        }
        return ran;
    }

    @ParameterizedTest
    @MethodSource("freshDatabases")
    void tablesThatNeedLaterCodeAreRefusedAtStart(DataSource source) {
        JdbcStore.builder(source).migrations(BREAKING).build().close();

        for (boolean migrates : List.of(true, false)) {
            assertThatThrownBy(() -> JdbcStore.builder(source).migrate(migrates).build())
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("have version " + (TODAY + 1) + ", which needs code of version " + (TODAY + 1)
                            + " or later, and this code knows only " + TODAY + ": upgrade Refrain");
        }
        assertThat(SchemaVersion.of(source, "")).isEqualTo(new SchemaVersion(TODAY + 1, TODAY + 1));
    }

    @ParameterizedTest
    @MethodSource("freshDatabases")
    void runningStoreUnderABreakingMigrationRunsNothing(DataSource source) {
        try (var today = JdbcStore.on(source)) {
            acquired(today, claimRequest("before"));
            JdbcStore.builder(source).migrations(BREAKING).build().close();

            for (int i = 0; i < 3; i++) {
                var wish = claimRequest("after " + i);
                assertThatThrownBy(() -> claim(today, wish)).isInstanceOf(StoreException.class);
            }
            assertThat(new RawSql(source).number("SELECT count(*) FROM refrain_record"))
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @MethodSource("freshDatabases")
    void freshTablesSayWhatTheirScriptSays(DataSource source) throws Exception {
        assertThat(SchemaVersion.of(source, "")).isEqualTo(new SchemaVersion(0, 0));
        JdbcStore.on(source).close();
        try (var connection = source.getConnection()) {
            var script = SchemaScript.of(DialectRegistry.of(connection).name());
            assertThat(SchemaVersion.of(source, ""))
                    .isEqualTo(new SchemaVersion(script.version(), script.oldestReader()))
                    .isEqualTo(new SchemaVersion(TODAY, SchemaMigrator.OLDEST_READER));
            assertThat(script.text())
                    .startsWith("-- Refrain's tables for " + script.dialect() + ": schema version " + TODAY
                            + ", oldest reader " + SchemaMigrator.OLDEST_READER + ".\n");
        }
    }

    /** Forgotten, it would say by its silence that older code may use the tables. */
    @ParameterizedTest
    @FieldSource("DIALECTS")
    void eachMigrationSaysTheOldestReader(String dialect) {
        var scripts = new SqlScriptLibrary(DialectRegistry.named(dialect), "");
        int first = DialectRegistry.named(dialect).firstSchemaVersion();
        for (int version = Math.max(FIRST_TO_SAY, first); version <= TODAY; version++) {
            String text = scripts.migration(SchemaMigrator.FILES.get(version - 1));
            assertThat(text)
                    .as("%s, migration %s", dialect, version)
                    .containsPattern("(UPDATE refrain_meta SET version = " + version
                            + ", oldest_reader = \\d+ WHERE name = 'schema'|VALUES \\('schema', " + version
                            + ", \\d+\\) ON DUPLICATE KEY UPDATE name = refrain_meta.name);\\s*$");
        }
    }

    /** A little of each kind: claims, completions, transactions, messages, workers. */
    private static void everythingWorks(JdbcStore store, String prefix) {
        var wishes = claimRequests(prefix, 5);
        assertThat(store.claim(wishes)).allMatch(ClaimResponse.Acquired.class::isInstance);
        var claims = wishes.stream().map(wish -> acquired(store, wish).claim()).toList();
        assertThat(store.write(claims.stream().map(c -> complete(c, prefix)).toList()))
                .allMatch(RecordWriteResponse.Written.class::isInstance);
        assertThat(wishes).allSatisfy(wish -> assertThat(outcome(store, wish)).isEqualTo(prefix));
        try (var transaction = store.transactions().begin()) {
            var wish = claimRequest(prefix + " in a transaction");
            var record = ClaimRequestFixtures.record(transaction.tryClaim(wish), true);
            store.outbox()
                    .stage(
                            transaction.connection(),
                            new StagedMessage(UUID.randomUUID(), prefix, null, payload(prefix)));
            transaction.complete(wish, record, payload(prefix));
            transaction.commit();
            assertThat(outcome(store, wish)).isEqualTo(prefix);
        }
        store.sweep(Duration.ofMinutes(1), 10);
        store.reap(10);
        assertThat(store.outbox()
                        .leaseMessages(new MessageLeaseRequest(prefix, Duration.ofMinutes(1), 10, 10, 1_000_000)))
                .hasSize(1);
    }

    private static String outcome(Store store, ClaimRequest wish) {
        var record = found(store, retryOf(wish));
        assertThat(record.state()).isEqualTo(RecordState.COMPLETED);
        return new String(record.outcome().orElseThrow().bytes(), StandardCharsets.UTF_8);
    }

    private static void write(Store store, RecordWrite write) {
        assertThat(store.write(List.of(write))).allMatch(RecordWriteResponse.Written.class::isInstance);
    }
}
