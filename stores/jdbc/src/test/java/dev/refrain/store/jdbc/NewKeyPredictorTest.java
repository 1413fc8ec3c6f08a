package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequests;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.conflictingRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.record;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.retryOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A batch of which all keys are expected to be new, and are not, is answered like any other. */
class NewKeyPredictorTest {

    private RawSql sql;
    private JdbcStore store;

    @BeforeEach
    void expectNewKeys() {
        var source = TestDatabases.postgres(TestDatabases.emptiedPostgres());
        sql = new RawSql(source);
        store = JdbcStore.on(source);
        assertThat(store.claim(claimRequests("warm-up-", 40))).allMatch(ClaimResponse.Acquired.class::isInstance);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static List<ClaimRequest> sorted(List<ClaimRequest> some, ClaimRequest... more) {
        var all = new ArrayList<>(some);
        all.addAll(List.of(more));
        all.sort(Comparator.comparing(ClaimRequest::lookup));
        return all;
    }

    private ClaimResponse answer(List<ClaimRequest> asked, List<ClaimResponse> answers, ClaimRequest of) {
        return answers.get(asked.indexOf(of));
    }

    @Test
    void existingKeyIsFoundAmongManyNewOnes() {
        var done = claimRequest("done");
        store.write(List.of(complete(acquired(store, done).claim(), "paid")));
        var running = claimRequest("running");
        acquired(store, running);
        var again = retryOf(done);
        var other = conflictingRequest(running);
        var expired = claimRequest("expired");
        store.write(List.of(complete(acquired(store, expired).claim(), "old")));
        sql.execute("UPDATE refrain_record SET expires_at = now() - interval '1 hour' WHERE key = 'expired'");
        var anew = retryOf(expired);
        var asked = sorted(claimRequests("new-", 60), again, other, anew);

        var answers = store.claim(asked);

        assertThat(record(answer(asked, answers, again), false).state()).isEqualTo(RecordState.COMPLETED);
        assertThat(record(answer(asked, answers, again), false).outcome()).isPresent();
        assertThat(record(answer(asked, answers, other), false).state()).isEqualTo(RecordState.IN_PROGRESS);
        assertThat(record(answer(asked, answers, anew), true).id().value()).isEqualTo(anew.nonce());
        assertThat(answers.stream().filter(ClaimResponse.Acquired.class::isInstance))
                .hasSize(61);
    }

    @Test
    void loneKeyThatExistsIsFoundWhetherANewOneWasExpectedOrNot() {
        var done = claimRequest("done");
        store.write(List.of(complete(acquired(store, done).claim(), "paid")));

        // The first of these are expected to be new; soon replays are usual.
        for (int i = 0; i < 20; i++) {
            var found = record(store.claim(List.of(retryOf(done))).getFirst(), false);
            assertThat(found.state()).isEqualTo(RecordState.COMPLETED);
            assertThat(found.outcome()).isPresent();
        }
        var fresh = claimRequest("fresh");
        assertThat(acquired(store, fresh).id().value()).isEqualTo(fresh.nonce());
    }

    @Test
    void batchOfReplaysIsAnsweredAndLeavesNoTrace() {
        var first = claimRequests("paid-", 40);
        store.write(store.claim(first).stream()
                .map(a -> complete(record(a, true).claim(), "paid"))
                .toList());
        assertThat(store.claim(claimRequests("more-", 40))).allMatch(ClaimResponse.Acquired.class::isInstance);
        String before =
                sql.text("SELECT string_agg(xmin::text || ctid::text, ' ' ORDER BY lookup) FROM refrain_record");

        var answers =
                store.claim(first.stream().map(ClaimRequestFixtures::retryOf).toList());

        assertThat(answers).allMatch(a -> record(a, false).state() == RecordState.COMPLETED);
        assertThat(sql.text("SELECT string_agg(xmin::text || ctid::text, ' ' ORDER BY lookup) FROM refrain_record"))
                .isEqualTo(before);
    }

    @Test
    void claimSentAgainFindsItself() {
        var asked = claimRequests("lost-", 40);
        var first = store.claim(asked);

        assertThat(store.claim(asked).stream().map(a -> record(a, true).claim()).toList())
                .isEqualTo(first.stream().map(a -> record(a, true).claim()).toList());
    }

    @Test
    void nulInOneRowFailsThatRowAlone() {
        var asked = new ArrayList<>(claimRequests("k-", 20));
        asked.set(7, asked.get(7).withSubject("eve\0"));

        assertThat(store.claim(asked).get(7)).isInstanceOf(ClaimResponse.Failed.class);

        assertThat(sql.number("SELECT count(*) FROM refrain_record WHERE key LIKE 'k-%'"))
                .isEqualTo(19);
    }

    /** Two identities under one lookup cannot be made here, so the one that is there is given another name. */
    @Test
    void claimAtTheLookupOfAnotherIdentityFailsAloneInItsBatch() {
        var taken = claimRequests("taken-", 100).getLast();
        acquired(store, taken);
        sql.execute("UPDATE refrain_record SET key = 'someone else' WHERE key LIKE 'taken-%'");
        var asked = sorted(claimRequests("k-", 20), retryOf(taken));
        assertThat(asked.getLast().identity()).isEqualTo(taken.identity());

        var answers = store.claim(asked);

        assertThat(answers.getLast()).isInstanceOf(ClaimResponse.Failed.class);
        for (int i = 0; i < asked.size() - 1; i++) {
            assertThat(record(answers.get(i), true).id().value())
                    .isEqualTo(asked.get(i).nonce());
        }
    }
}
