package dev.refrain.store.contract;

import static dev.refrain.store.contract.Samples.LEASE;
import static dev.refrain.store.contract.Samples.checkpoint;
import static dev.refrain.store.contract.Samples.complete;
import static dev.refrain.store.contract.Samples.holding;
import static dev.refrain.store.contract.Samples.payload;
import static dev.refrain.store.contract.Samples.resuming;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.Abandoned;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.Resolution;
import dev.refrain.store.State;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.TakeUp;
import dev.refrain.store.Write;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where a flow goes on after a crash: its recovery point, what it carried and the request it began with. */
interface RecoveryContract extends Topic {

    private static ClaimRequest flow(String key) {
        return resuming(key).storing(Optional.of(payload("the request")));
    }

    private static void goesOn(StoredRecord record) {
        assertThat(record.recoveryPoint()).contains("charge_created");
        assertThat(record.carried()).contains(payload("charge 7"));
        assertThat(record.request()).contains(payload("the request"));
    }

    @Test
    default void aCheckpointKeepsItsNameWhatItCarriesAndTheStoredRequest() {
        var claim = probe().acquired(flow("key-1")).claim();

        probe().written(checkpoint(claim, "charge_created", "charge 7"));

        goesOn(probe().seen("key-1"));
        assertThat(probe().seen("key-1").state()).isEqualTo(State.IN_PROGRESS);
        assertThat(probe().seen("key-1").claim()).isEqualTo(claim);
    }

    @Test
    default void aCheckpointBringsANewLease() {
        var claim = probe().acquired(flow("key-1")).claim();
        probe().letPass(LEASE.dividedBy(2));

        probe().written(checkpoint(claim, "charge_created", "charge 7"));

        assertThat(probe().seen("key-1").leaseLeft()).isGreaterThan(LEASE.minus(Samples.SLACK));
    }

    @Test
    default void aCheckpointMayLeaveTheLeaseAsItIs() {
        var claim = probe().acquired(flow("key-1")).claim();
        probe().letPass(LEASE.dividedBy(2));

        probe().written(new Write.Checkpoint(claim, "charge_created", Optional.empty(), Optional.empty()));

        assertThat(probe().seen("key-1").leaseLeft()).isLessThanOrEqualTo(LEASE.dividedBy(2));
        assertThat(probe().seen("key-1").recoveryPoint()).contains("charge_created");
    }

    @Test
    default void theLastCheckpointCounts() {
        var claim = probe().acquired(flow("key-1")).claim();

        probe().written(checkpoint(claim, "ride_created", "ride 3"));
        probe().written(checkpoint(claim, "charge_created", "charge 7"));
        goesOn(probe().seen("key-1"));

        probe().written(new Write.Checkpoint(claim, "receipt_sent", Optional.empty(), Optional.of(LEASE)));
        assertThat(probe().seen("key-1").recoveryPoint()).contains("receipt_sent");
        assertThat(probe().seen("key-1").carried()).isEmpty();
    }

    @Test
    default void aTakeoverGoesOnFromTheRecoveryPoint() {
        probe().written(checkpoint(probe().acquired(flow("key-1")).claim(), "charge_created", "charge 7"));
        probe().letPass(LEASE);

        var taken = probe().acquired(resuming("key-1"));

        goesOn(taken);
        assertThat(taken.fence()).isEqualTo(2);
    }

    @Test
    default void aReleasedRecordGoesOnFromTheRecoveryPoint() {
        var claim = probe().acquired(flow("key-1")).claim();
        probe().written(checkpoint(claim, "charge_created", "charge 7"));
        probe().written(new Write.Release(claim));

        goesOn(probe().seen("key-1"));
        goesOn(probe().acquired(resuming("key-1")));
    }

    @Test
    default void aSweptRecordGoesOnFromTheRecoveryPoint() {
        probe().written(checkpoint(probe().acquired(flow("key-1")).claim(), "charge_created", "charge 7"));
        probe().letPass(LEASE);
        probe().store().sweep(Duration.ZERO, 10);

        goesOn(probe().acquired(resuming("key-1")));
    }

    @Test
    default void aRecordThatMayRunAgainGoesOnFromTheRecoveryPoint() {
        var request = holding("key-1").storing(Optional.of(payload("the request")));
        var claim = probe().acquired(request).claim();
        probe().written(checkpoint(claim, "charge_created", "charge 7"));
        probe().written(new Write.Escalate(claim, "the connection broke"));
        goesOn(probe().seen("key-1"));

        probe().resolved(claim, new Resolution.RunAgain());

        goesOn(probe().acquired(holding("key-1")));
    }

    @Test
    default void theStoredRequestIsTheFirstOne() {
        probe().released(flow("key-1"));

        var again = probe().acquired(resuming("key-1").storing(Optional.of(payload("as sent later"))));

        assertThat(again.request()).contains(payload("the request"));
    }

    /** As a completer leaves it that came too late: made by somebody who had no request. */
    @Test
    default void whatHasNoStoredRequestTakesTheNextOne() {
        probe().released(resuming("key-1"));

        assertThat(probe().acquired(flow("key-1")).request()).contains(payload("the request"));

        assertThat(probe().seen("key-1").request()).contains(payload("the request"));
        probe().letPass(LEASE);
        var again = probe().acquired(resuming("key-1").storing(Optional.of(payload("as sent later"))));
        assertThat(again.request()).contains(payload("the request"));
        probe().letPass(LEASE.multipliedBy(2));
        var order = new TakeUp(Samples.NAMESPACE, Duration.ZERO, LEASE, 10, 10);
        assertThat(probe().store().takeUp(order).abandoned())
                .extracting(Abandoned::id)
                .containsExactly(again.id());
    }

    @Test
    default void aCompletionDropsTheStoredRequestAndWhatWasCarried() {
        var claim = probe().acquired(flow("key-1")).claim();
        probe().written(checkpoint(claim, "charge_created", "charge 7"));

        probe().written(complete(claim, "the outcome"));

        dropped(probe().seen("key-1"));
        dropped(probe().found(resuming("key-1")));
    }

    @Test
    default void aResolvedCompletionDropsTheStoredRequestAndWhatWasCarried() {
        var claim = probe().acquired(flow("key-1")).claim();
        probe().written(checkpoint(claim, "charge_created", "charge 7"));
        probe().written(new Write.Escalate(claim, "the connection broke"));

        probe().resolved(claim, new Resolution.Done(Optional.of(payload("the outcome"))));

        dropped(probe().seen("key-1"));
    }

    private static void dropped(StoredRecord completed) {
        assertThat(completed.state()).isEqualTo(State.COMPLETED);
        assertThat(completed.outcome()).contains(payload("the outcome"));
        assertThat(completed.request()).isEmpty();
        assertThat(completed.carried()).isEmpty();
    }

    /** Elsewhere: a losing executor of a step is not stopped; both go on with different results. */
    @Test
    default void aCheckpointOfAStalledRunnerIsRefusedAndTheCommittedPhaseStands() {
        var stalled = probe().acquired(flow("key-1")).claim();
        probe().letPass(LEASE);
        var current = probe().acquired(resuming("key-1")).claim();
        probe().written(checkpoint(current, "charge_created", "charge 7"));

        goesOn(probe().refused(checkpoint(stalled, "ride_created", "ride 3")).orElseThrow());

        goesOn(probe().seen("key-1"));
    }
}
