package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.payload;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.retryOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.ClaimRef;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.RecordEraser;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import dev.refrain.store.jdbc.internal.sqlite.SqliteDataSourceFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The bytes of a kept request are gone from the tables once its record is settled, and not only out of sight. */
class KeptRequestRowsTest {

    private static final String ROWS = "SELECT count(*) FROM refrain_payload WHERE kind = 32";

    @TempDir
    static Path directory;

    private static int files;

    static Stream<DataSource> freshDatabases() {
        return Stream.of(
                TestDatabases.freshPostgres(), SqliteDataSourceFactory.at(directory.resolve("k" + files++ + ".db")));
    }

    private static ClaimRequest keeping(String key) {
        return claimRequest(key).withKeptRequest(payload("pay 7"));
    }

    @ParameterizedTest
    @MethodSource("freshDatabases")
    void settlingRemovesTheRow(DataSource source) {
        var sql = new RawSql(source);
        try (var store = JdbcStore.on(source)) {
            write(store, complete(claimed(store, "completed"), "paid"));
            write(store, new RecordWrite.Release(claimed(store, "released")));
            var done = claimed(store, "decided");
            write(store, new RecordWrite.Escalate(done, "the connection broke"));
            assertThat(sql.number(ROWS)).as("in ATTENTION").isEqualTo(1);
            store.resolve(new Resolution(done, new Resolution.Done(null), "ann", "asked the bank"));
            var again = claimed(store, "run again");
            write(store, new RecordWrite.Escalate(again, "the connection broke"));
            store.resolve(new Resolution(again, new Resolution.RunAgain(), "ann", "asked the bank"));

            assertThat(sql.number(ROWS)).isZero();
        }
    }

    /** The others of a batch are then written by statements that touch as few tables as they can. */
    @Test
    void settlingBesideALockedRowRemovesTheRowToo() throws Exception {
        var source = TestDatabases.freshPostgres();
        var sql = new RawSql(source);
        try (var store = JdbcStore.on(source);
                var holder = source.getConnection();
                var statement = holder.createStatement()) {
            var completed = claimed(store, "completed");
            var released = claimed(store, "released");
            var locked = claimed(store, "locked");
            holder.setAutoCommit(false);
            statement.execute(
                    "SELECT FROM refrain_record WHERE id = '" + locked.id().value() + "' FOR UPDATE");

            var answers = store.write(
                    List.of(complete(completed, "paid"), new RecordWrite.Release(released), complete(locked, "paid")));

            assertThat(answers.subList(0, 2)).hasOnlyElementsOfType(RecordWriteResponse.Written.class);
            assertThat(answers.getLast()).isInstanceOf(RecordWriteResponse.Failed.class);
            assertThat(sql.number(ROWS)).as("that of the locked record").isEqualTo(1);
            holder.rollback();
        }
    }

    /** A transactional run completes what a leased one released, or left behind with its lease over. */
    @ParameterizedTest
    @MethodSource("freshDatabases")
    void transactionThatCompletesTheRecordRemovesTheRow(DataSource source) {
        var sql = new RawSql(source);
        try (var store = JdbcStore.on(source)) {
            var wish = keeping("left behind");
            acquired(store, wish);
            sql.execute("UPDATE refrain_record SET lease_until = claimed_at");
            try (var transaction = store.transactions().begin()) {
                var record = ClaimRequestFixtures.record(transaction.tryClaim(retryOf(wish)), true);
                transaction.complete(retryOf(wish), record, payload("paid"));
                transaction.commit();
            }

            assertThat(sql.number(ROWS)).isZero();
        }
    }

    /** Code of schema 7 knows no kept requests: what it settles keeps its row, until the record goes. */
    @ParameterizedTest
    @MethodSource("freshDatabases")
    void rowThatOlderCodeLeftIsNotShownAndGoesWithItsRecord(DataSource source) {
        var sql = new RawSql(source);
        try (var store = JdbcStore.on(source)) {
            var erased = keeping("erased").withSubject("eve");
            acquired(store, erased);
            acquired(store, keeping("reaped"));
            sql.execute("UPDATE refrain_record SET state = 2, completed_at = claimed_at");
            assertThat(store.readKeptRequest(erased.identity())).isEmpty();
            assertThat(sql.number(ROWS)).isEqualTo(2);

            store.ability(RecordEraser.class)
                    .orElseThrow()
                    .erase(new ErasureRequest(
                            new ErasureRequest.OfSubject(erased.identity().scope(), "eve"), "ann", "asked for it", 10));
            assertThat(sql.number(ROWS)).as("after the erasure").isEqualTo(1);

            sql.execute("UPDATE refrain_record SET expires_at = claimed_at");
            assertThat(store.reap(10)).isEqualTo(2);
            assertThat(sql.number(ROWS)).as("after reaping").isZero();
        }
    }

    private static ClaimRef claimed(JdbcStore store, String key) {
        return acquired(store, keeping(key)).claim();
    }

    private static void write(JdbcStore store, RecordWrite write) {
        assertThat(store.write(List.of(write))).allMatch(RecordWriteResponse.Written.class::isInstance);
    }
}
