package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.ErasureResult;
import dev.refrain.store.RecordEraser;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreException;
import dev.refrain.store.SweepResult;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * A statement that waited for a row goes on with the row as it is now, and with everything else as it was when the statement
 * began. Nothing may be left behind in between.
 */
class SnapshotRaceTest extends PostgresTestBase {

    @Override
    JdbcStore store(JdbcStoreBuilder builder) {
        return builder.lockTimeout(Duration.ofSeconds(5)).build();
    }

    @Test
    void lateRunnerThatMeetsTheSweeperDoesNotStopLaterSweeps() throws Exception {
        var claim =
                acquired(store, claimRequest("k", LeaseExpiryPolicy.HOLD, GONE)).claim();
        var written = whileHeld(
                List.of(
                        "UPDATE refrain_record SET state = 4, parts = 8",
                        "INSERT INTO refrain_attention SELECT lookup, id, fence, now(), 'swept' FROM refrain_record"),
                () -> store.write(List.of(complete(claim, "done"))));
        assertThat(written).containsExactly(new RecordWriteResponse.Written());
        assertThat(store.listAttention(null, 10)).isEmpty();

        sql.execute("UPDATE refrain_record SET expires_at = now() - interval '1 hour'");
        acquired(store, claimRequest("k", LeaseExpiryPolicy.HOLD, GONE));
        acquired(store, claimRequest("another", LeaseExpiryPolicy.RESUME, GONE));

        assertThat(store.sweep(Duration.ZERO, 10))
                .usingRecursiveComparison()
                .ignoringFields("escalated")
                .isEqualTo(new SweepResult(1, 1, false));
        assertThat(store.listAttention(null, 10)).hasSize(1);
    }

    @Test
    void outcomeWrittenDuringAnErasureIsErasedInTheNextRound() throws Exception {
        var claim = acquired(store, claimRequest("k")).claim();
        store.write(List.of(new RecordWrite.Release(claim)));
        var order = new ErasureRequest(new ErasureRequest.OfScope("tenant"), "me", "asked", 10);
        var first = whileHeld(
                List.of(
                        "UPDATE refrain_record SET state = 2, fence = 2, completed_at = now(), parts = 1",
                        "INSERT INTO refrain_payload (record_id, kind, bytes) SELECT id, 1, 'secret' FROM refrain_record"),
                () -> store.ability(RecordEraser.class).orElseThrow().erase(order));
        assertThat(first).isEqualTo(new ErasureResult(0, 0, true));

        assertThat(store.ability(RecordEraser.class).orElseThrow().erase(order))
                .isEqualTo(new ErasureResult(1, 0, false));
        assertThat(sql.number("SELECT count(*) FROM refrain_payload")).isZero();
    }

    @Test
    void databaseThatGoesAwayWhileTheConnectionsOpenIsNotTakenForASmallPool() {
        var given = new AtomicInteger();
        var dying = StubDataSources.of(() -> {
            if (given.incrementAndGet() > 3) {
                throw new SQLException("the database system is starting up", "57P03");
            }
            return source.getConnection();
        });

        assertThatThrownBy(() -> JdbcStore.on(dying))
                .asInstanceOf(type(StoreException.class))
                .satisfies(e -> assertThat(e.isTransient()).isTrue())
                .extracting(Throwable::getMessage)
                .asString()
                .doesNotContain("pool");
    }

    /** Asks while another transaction has done this and not committed yet; it commits once the asker waits. */
    private <T> T whileHeld(List<String> statements, Callable<T> asker) throws Exception {
        try (var holder = source.getConnection();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            holder.setAutoCommit(false);
            try (var statement = holder.createStatement()) {
                for (String one : statements) {
                    statement.execute(one);
                }
            }
            Future<T> answer = threads.submit(asker);
            await().until(() -> sql.number("SELECT count(*) FROM pg_locks WHERE NOT granted") > 0);
            holder.commit();
            return answer.get(1, TimeUnit.MINUTES);
        }
    }
}
