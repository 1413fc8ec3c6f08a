package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequests;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.SweepResult;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The sweep remembers how far it came, and is never led past a record for good. */
class SweepPositionTest extends PostgresTestBase {

    private RecordState stateOf(String key) {
        return store.find(List.of(claimRequest(key).identity()))
                .getFirst()
                .orElseThrow()
                .state();
    }

    @Test
    void walkedRecordsAreNotWalkedAgain() {
        store.claim(claimRequests("done", 20))
                .forEach(a -> store.write(
                        List.of(complete(ClaimRequestFixtures.record(a, true).claim(), "done"))));
        sql.execute(
                "UPDATE refrain_record SET lease_until = now() - interval '1 hour' - abs(hashtext(key)) * interval '1 microsecond'");
        assertThat(store.sweep(Duration.ZERO, 10).more()).isTrue();
        assertThat(store.sweep(Duration.ZERO, 10).more()).isTrue();
        assertThat(store.sweep(Duration.ZERO, 10).more()).isFalse();

        assertThat(store.sweep(Duration.ZERO, 10)).isEqualTo(new SweepResult(0, 0, false));
        assertThat(sql.text("SELECT moment > now() - interval '1 minute' FROM refrain_meta WHERE name = 'sweep'"))
                .isEqualTo("t");
    }

    @Test
    void claimMadeAfterTheMarkIsSwept() {
        store.sweep(Duration.ZERO, 10);
        acquired(store, claimRequest("late", LeaseExpiryPolicy.RESUME, GONE));
        acquired(store, claimRequest("held", LeaseExpiryPolicy.HOLD, GONE));

        assertThat(store.sweep(Duration.ZERO, 10))
                .usingRecursiveComparison()
                .ignoringFields("escalated")
                .isEqualTo(new SweepResult(1, 1, false));
        assertThat(stateOf("late")).isEqualTo(RecordState.RELEASED);
        assertThat(stateOf("held")).isEqualTo(RecordState.ATTENTION);
    }

    @Test
    void renewedLeaseIsAheadOfTheMarkAgain() {
        var slow = acquired(store, claimRequest("slow", LeaseExpiryPolicy.RESUME, Duration.ofMinutes(5)));
        store.sweep(Duration.ZERO, 10);
        store.write(List.of(new RecordWrite.Renew(slow.claim(), GONE)));

        assertThat(store.sweep(Duration.ZERO, 10).released()).isEqualTo(1);
    }

    /** As after the database's clock was set back, or for a claim that was committed later than its lease ended. */
    @Test
    void claimBehindTheMarkIsFoundAfterAsManySweepsAsThereArePages() {
        completedLeases(1_200);
        while (store.sweep(Duration.ZERO, 1_000).more()) {
            // Until the mark is past all of them.
        }
        acquired(store, claimRequest("hidden"));
        sql.execute("UPDATE refrain_record SET lease_until = now() - interval '1 hour' WHERE key = 'hidden'");

        assertThat(store.sweep(Duration.ZERO, 10)).isEqualTo(new SweepResult(0, 0, false));
        assertThat(store.sweep(Duration.ZERO, 10)).isEqualTo(new SweepResult(0, 0, false));
        assertThat(store.sweep(Duration.ZERO, 10)).isEqualTo(new SweepResult(1, 0, false));
    }

    /** As after a clock that was ahead for a moment, in which a sweep ran, where no other came until its mark was past again. */
    @Test
    void markThatWasInTheFutureWhenItWasSetHidesNothingEither() {
        acquired(store, claimRequest("abandoned", LeaseExpiryPolicy.RESUME, GONE));
        sql.execute("INSERT INTO refrain_meta (name, moment, since) VALUES ('sweep', clock_timestamp(), now())");
        assertThat(sql.text("SELECT lease_until < moment FROM refrain_record, refrain_meta WHERE name = 'sweep'"))
                .isEqualTo("t");

        assertThat(store.sweep(Duration.ZERO, 10).released()).isEqualTo(1);
    }

    @Test
    void manyThatWereHiddenAreSettledPageByPage() {
        store.claim(claimRequests("hidden", 25));
        sql.execute("UPDATE refrain_record SET lease_until = now() - interval '1 hour'");
        sql.execute("INSERT INTO refrain_meta (name, moment, since) VALUES ('sweep', clock_timestamp(), now())");

        assertThat(store.sweep(Duration.ZERO, 10)).isEqualTo(new SweepResult(10, 0, true));
        assertThat(store.sweep(Duration.ZERO, 10)).isEqualTo(new SweepResult(10, 0, true));
        assertThat(store.sweep(Duration.ZERO, 10)).isEqualTo(new SweepResult(5, 0, false));
    }

    @Test
    void claimLockedDuringASweepIsFoundOnceItIsFree() throws SQLException {
        acquired(store, claimRequest("held up", LeaseExpiryPolicy.RESUME, GONE));
        acquired(store, claimRequest("later", LeaseExpiryPolicy.RESUME, GONE));
        acquired(store, claimRequest("last", LeaseExpiryPolicy.RESUME, GONE));
        try (var holder = source.getConnection()) {
            holder.setAutoCommit(false);
            try (var statement = holder.createStatement()) {
                statement.execute("SELECT 1 FROM refrain_record WHERE key = 'held up' FOR UPDATE");
            }
            assertThat(store.sweep(Duration.ZERO, 1)).isEqualTo(new SweepResult(0, 0, true));
            assertThat(store.sweep(Duration.ZERO, 1)).isEqualTo(new SweepResult(1, 0, true));
            assertThat(store.sweep(Duration.ZERO, 1)).isEqualTo(new SweepResult(1, 0, true));
            assertThat(store.sweep(Duration.ZERO, 1)).isEqualTo(new SweepResult(0, 0, false));
            holder.rollback();
        }

        assertThat(store.sweep(Duration.ZERO, 1)).isEqualTo(new SweepResult(1, 0, false));
        assertThat(stateOf("held up")).isEqualTo(RecordState.RELEASED);
    }

    private void completedLeases(int count) {
        sql.execute(
                "INSERT INTO refrain_record (lookup, id, owner, fence, lease_until, expires_at, claimed_at, completed_at,"
                        + " state, hold, fingerprint, recipe, scope, namespace, key)"
                        + " SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 1, t, t + interval '1 day', t, t, 2, false,"
                        + " sha256(i::text::bytea), 'r', 's', 'n', i::text"
                        + " FROM (SELECT i, now() - interval '3 hours' - i * interval '50 ms' AS t FROM generate_series(1, "
                        + count + ") i) many");
    }

    /** As after the database's clock was ahead for a moment, in which a sweep ran. */
    @Test
    void markInTheFutureHidesNothing() {
        store.sweep(Duration.ZERO, 10);
        sql.execute("UPDATE refrain_meta SET moment = moment + interval '20 hours' WHERE name = 'sweep'");
        acquired(store, claimRequest("running"));
        acquired(store, claimRequest("abandoned", LeaseExpiryPolicy.RESUME, GONE));

        var counted = store.countUnsettled(10);
        assertThat(counted.inProgress()).isEqualTo(2);
        assertThat(counted.leaseOver()).isEqualTo(1);
        assertThat(store.sweep(Duration.ZERO, 10)).isEqualTo(new SweepResult(1, 0, false));
        assertThat(sql.text("SELECT moment <= now() FROM refrain_meta WHERE name = 'sweep'"))
                .isEqualTo("t");
        acquired(store, claimRequest("next", LeaseExpiryPolicy.RESUME, GONE));
        assertThat(store.sweep(Duration.ZERO, 10).released()).isEqualTo(1);
    }

    @Test
    void lostMarkOnlyMeansWalkingEverythingAgain() {
        store.sweep(Duration.ZERO, 10);
        acquired(store, claimRequest("hidden"));
        sql.execute("UPDATE refrain_record SET lease_until = now() - interval '3 hours'");
        sql.execute("DELETE FROM refrain_meta WHERE name = 'sweep'");

        assertThat(store.sweep(Duration.ZERO, 10).released()).isEqualTo(1);
    }

    @Test
    void recordThatSomeoneHoldsIsSkippedAndNotForgotten() throws SQLException {
        acquired(store, claimRequest("held up", LeaseExpiryPolicy.RESUME, GONE));
        acquired(store, claimRequest("free", LeaseExpiryPolicy.RESUME, GONE));
        try (var holder = source.getConnection()) {
            holder.setAutoCommit(false);
            try (var statement = holder.createStatement()) {
                statement.execute("SELECT 1 FROM refrain_record WHERE key = 'held up' FOR UPDATE");
            }
            assertThat(store.sweep(Duration.ZERO, 10)).isEqualTo(new SweepResult(1, 0, false));
            holder.rollback();
        }

        assertThat(store.sweep(Duration.ZERO, 10)).isEqualTo(new SweepResult(1, 0, false));
        assertThat(stateOf("held up")).isEqualTo(RecordState.RELEASED);
    }

    @Test
    void recordSettledByATransactionIsNeverWalked() {
        var wish = claimRequest("k");
        try (var transaction = store.transactions().begin()) {
            transaction.complete(wish, ClaimRequestFixtures.record(transaction.tryClaim(wish), true), null);
            transaction.commit();
        }

        assertThat(store.sweep(Duration.ZERO, 1)).isEqualTo(new SweepResult(0, 0, false));
    }
}
