package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.Wishes.acquired;
import static dev.refrain.store.jdbc.Wishes.complete;
import static dev.refrain.store.jdbc.Wishes.claimRequest;
import static dev.refrain.store.jdbc.Wishes.claimRequests;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.State;
import dev.refrain.store.Swept;
import dev.refrain.store.TakeOver;
import dev.refrain.store.Write;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The sweep remembers how far it came, and is never led past a record for good. */
class SweepMarkTest extends OnPostgres {

    private State stateOf(String key) {
        return store.find(List.of(claimRequest(key).identity()))
                .getFirst()
                .orElseThrow()
                .state();
    }

    @Test
    void whatWasWalkedIsNotWalkedAgain() {
        store.claim(claimRequests("done", 20))
                .forEach(a ->
                        store.write(List.of(complete(Wishes.record(a, true).claim(), "done"))));
        sql.execute(
                "UPDATE refrain_record SET lease_until = now() - interval '1 hour' - abs(hashtext(key)) * interval '1 microsecond'");
        assertThat(store.sweep(Duration.ZERO, 10).more()).isTrue();
        assertThat(store.sweep(Duration.ZERO, 10).more()).isTrue();
        assertThat(store.sweep(Duration.ZERO, 10).more()).isFalse();

        assertThat(store.sweep(Duration.ZERO, 10)).isEqualTo(new Swept(0, 0, false));
        assertThat(sql.text("SELECT moment > now() - interval '1 minute' FROM refrain_meta WHERE name = 'sweep'"))
                .isEqualTo("t");
    }

    @Test
    void aClaimMadeAfterTheMarkIsSwept() {
        store.sweep(Duration.ZERO, 10);
        acquired(store, claimRequest("late", TakeOver.RESUME, GONE));
        acquired(store, claimRequest("held", TakeOver.HOLD, GONE));

        assertThat(store.sweep(Duration.ZERO, 10)).isEqualTo(new Swept(1, 1, false));
        assertThat(stateOf("late")).isEqualTo(State.RELEASED);
        assertThat(stateOf("held")).isEqualTo(State.ATTENTION);
    }

    @Test
    void aRenewedLeaseIsAheadOfTheMarkAgain() {
        var slow = acquired(store, claimRequest("slow", TakeOver.RESUME, Duration.ofMinutes(5)));
        store.sweep(Duration.ZERO, 10);
        store.write(List.of(new Write.Renew(slow.claim(), GONE)));

        assertThat(store.sweep(Duration.ZERO, 10).released()).isEqualTo(1);
    }

    /** As after the database's clock was set back. */
    @Test
    void whatLiesBehindTheMarkIsFoundOnceADay() {
        store.sweep(Duration.ZERO, 10);
        acquired(store, claimRequest("hidden"));
        sql.execute("UPDATE refrain_record SET lease_until = now() - interval '3 hours'");
        assertThat(store.sweep(Duration.ZERO, 10)).isEqualTo(new Swept(0, 0, false));

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
        acquired(store, claimRequest("held up", TakeOver.RESUME, GONE));
        acquired(store, claimRequest("free", TakeOver.RESUME, GONE));
        try (var holder = source.getConnection()) {
            holder.setAutoCommit(false);
            try (var statement = holder.createStatement()) {
                statement.execute("SELECT 1 FROM refrain_record WHERE key = 'held up' FOR UPDATE");
            }
            assertThat(store.sweep(Duration.ZERO, 10)).isEqualTo(new Swept(1, 0, false));
            holder.rollback();
        }

        assertThat(store.sweep(Duration.ZERO, 10)).isEqualTo(new Swept(1, 0, false));
        assertThat(stateOf("held up")).isEqualTo(State.RELEASED);
    }

    @Test
    void whatATransactionSettledIsNeverWalked() {
        var wish = claimRequest("k");
        try (var transaction = store.transactions().begin()) {
            transaction.complete(wish, Wishes.record(transaction.tryClaim(wish), true), java.util.Optional.empty());
            transaction.commit();
        }

        assertThat(store.sweep(Duration.ZERO, 1)).isEqualTo(new Swept(0, 0, false));
    }
}
