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
    void whatWasWalkedIsNotWalkedAgain() {
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
    void aClaimMadeAfterTheMarkIsSwept() {
        store.sweep(Duration.ZERO, 10);
        acquired(store, claimRequest("late", LeaseExpiryPolicy.RESUME, GONE));
        acquired(store, claimRequest("held", LeaseExpiryPolicy.HOLD, GONE));

        assertThat(store.sweep(Duration.ZERO, 10)).isEqualTo(new SweepResult(1, 1, false));
        assertThat(stateOf("late")).isEqualTo(RecordState.RELEASED);
        assertThat(stateOf("held")).isEqualTo(RecordState.ATTENTION);
    }

    @Test
    void aRenewedLeaseIsAheadOfTheMarkAgain() {
        var slow = acquired(store, claimRequest("slow", LeaseExpiryPolicy.RESUME, Duration.ofMinutes(5)));
        store.sweep(Duration.ZERO, 10);
        store.write(List.of(new RecordWrite.Renew(slow.claim(), GONE)));

        assertThat(store.sweep(Duration.ZERO, 10).released()).isEqualTo(1);
    }

    /** As after the database's clock was set back. */
    @Test
    void whatLiesBehindTheMarkIsFoundOnceADay() {
        store.sweep(Duration.ZERO, 10);
        acquired(store, claimRequest("hidden"));
        sql.execute("UPDATE refrain_record SET lease_until = now() - interval '3 hours'");
        assertThat(store.sweep(Duration.ZERO, 10)).isEqualTo(new SweepResult(0, 0, false));

        sql.execute("UPDATE refrain_meta SET since = now() - interval '25 hours' WHERE name = 'sweep'");

        assertThat(store.sweep(Duration.ZERO, 10).released()).isEqualTo(1);
        assertThat(sql.text("SELECT since > now() - interval '1 minute' FROM refrain_meta WHERE name = 'sweep'"))
                .isEqualTo("t");
    }

    @Test
    void aLostMarkOnlyMeansWalkingEverythingAgain() {
        store.sweep(Duration.ZERO, 10);
        acquired(store, claimRequest("hidden"));
        sql.execute("UPDATE refrain_record SET lease_until = now() - interval '3 hours'");
        sql.execute("DELETE FROM refrain_meta WHERE name = 'sweep'");

        assertThat(store.sweep(Duration.ZERO, 10).released()).isEqualTo(1);
    }

    @Test
    void aRecordThatSomeoneHoldsIsSkippedAndNotForgotten() throws SQLException {
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
    void whatATransactionSettledIsNeverWalked() {
        var wish = claimRequest("k");
        try (var transaction = store.transactions().begin()) {
            transaction.complete(
                    wish, ClaimRequestFixtures.record(transaction.tryClaim(wish), true), java.util.Optional.empty());
            transaction.commit();
        }

        assertThat(store.sweep(Duration.ZERO, 1)).isEqualTo(new SweepResult(0, 0, false));
    }
}
