package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.LEASE;
import static dev.refrain.store.contract.StoreTestData.checkpoint;
import static dev.refrain.store.contract.StoreTestData.complete;
import static dev.refrain.store.contract.StoreTestData.heldRequest;
import static dev.refrain.store.contract.StoreTestData.payload;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static dev.refrain.store.contract.StoreTestData.roundedUp;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.store.AbandonedRecord;
import dev.refrain.store.AbandonedRecordSearch;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.CompletionQueue;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Resolution;
import dev.refrain.store.StoredRecord;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of recovery points: after a crash a flow resumes at its last one, with its carried state and its original request. */
interface RecoveryPointContractTests extends StoreContractPart {

    private static ClaimRequest flow(String key) {
        return resumableRequest(key).withStoredRequest(payload("the request"));
    }

    private static void goesOn(StoredRecord record) {
        assertThat(record.recoveryPoint()).contains(RecoveryPoint.reached("charge_created"));
        assertThat(record.carried()).contains(payload("charge 7"));
        assertThat(record.request()).contains(payload("the request"));
    }

    @Test
    default void checkpointKeepsItsNameWhatItCarriesAndTheStoredRequest() {
        var claim = client().expectAcquired(flow("key-1")).claim();

        client().expectWritten(checkpoint(claim, "charge_created", "charge 7"));

        goesOn(client().expectPresent("key-1"));
        assertThat(client().expectPresent("key-1").state()).isEqualTo(RecordState.IN_PROGRESS);
        assertThat(client().expectPresent("key-1").claim()).isEqualTo(claim);
    }

    @Test
    default void checkpointBringsANewLease() {
        var claim = client().expectAcquired(flow("key-1")).claim();
        client().advanceTime(LEASE.dividedBy(2));

        client().expectWritten(checkpoint(claim, "charge_created", "charge 7"));

        assertThat(client().expectPresent("key-1").remainingLease()).isGreaterThan(LEASE.minus(StoreTestData.SLACK));
    }

    @Test
    default void checkpointMayLeaveTheLeaseAsItIs() {
        var claim = client().expectAcquired(flow("key-1")).claim();
        client().advanceTime(LEASE.dividedBy(2));

        client().expectWritten(new RecordWrite.Checkpoint(
                claim, RecoveryPoint.reached("charge_created"), Optional.empty(), Optional.empty()));

        assertThat(client().expectPresent("key-1").remainingLease()).isLessThanOrEqualTo(roundedUp(LEASE.dividedBy(2)));
        assertThat(client().expectPresent("key-1").recoveryPoint()).contains(RecoveryPoint.reached("charge_created"));
    }

    @Test
    default void lastCheckpointCounts() {
        var claim = client().expectAcquired(flow("key-1")).claim();

        client().expectWritten(checkpoint(claim, "ride_created", "ride 3"));
        client().expectWritten(checkpoint(claim, "charge_created", "charge 7"));
        goesOn(client().expectPresent("key-1"));

        client().expectWritten(new RecordWrite.Checkpoint(
                claim, RecoveryPoint.reached("receipt_sent"), Optional.empty(), Optional.of(LEASE)));
        assertThat(client().expectPresent("key-1").recoveryPoint()).contains(RecoveryPoint.reached("receipt_sent"));
        assertThat(client().expectPresent("key-1").carried()).isEmpty();
    }

    @Test
    default void takeoverGoesOnFromTheRecoveryPoint() {
        client().expectWritten(
                        checkpoint(client().expectAcquired(flow("key-1")).claim(), "charge_created", "charge 7"));
        client().advanceTime(LEASE);

        var taken = client().expectAcquired(resumableRequest("key-1"));

        goesOn(taken);
        assertThat(taken.fence()).isEqualTo(2);
    }

    @Test
    default void releasedRecordGoesOnFromTheRecoveryPoint() {
        var claim = client().expectAcquired(flow("key-1")).claim();
        client().expectWritten(checkpoint(claim, "charge_created", "charge 7"));
        client().expectWritten(new RecordWrite.Release(claim));

        goesOn(client().expectPresent("key-1"));
        goesOn(client().expectAcquired(resumableRequest("key-1")));
    }

    @Test
    default void sweptRecordGoesOnFromTheRecoveryPoint() {
        client().expectWritten(
                        checkpoint(client().expectAcquired(flow("key-1")).claim(), "charge_created", "charge 7"));
        client().advanceTime(LEASE);
        client().store().sweep(Duration.ZERO, 10);

        goesOn(client().expectAcquired(resumableRequest("key-1")));
    }

    @Test
    default void recordThatMayRunAgainGoesOnFromTheRecoveryPoint() {
        var request = heldRequest("key-1").withStoredRequest(payload("the request"));
        var claim = client().expectAcquired(request).claim();
        client().expectWritten(checkpoint(claim, "charge_created", "charge 7"));
        client().expectWritten(new RecordWrite.Escalate(claim, "the connection broke"));
        goesOn(client().expectPresent("key-1"));

        client().resolve(claim, new Resolution.RunAgain());

        goesOn(client().expectAcquired(heldRequest("key-1")));
    }

    /** To run again says that the announced call was not sent; to resume says nothing about it. */
    @Test
    default void decisionToRunAgainWithdrawsTheAnnouncedCallAndOneToResumeKeepsIt() {
        client().resolve(announcedAndHeld("again"), new Resolution.RunAgain());
        client().resolve(announcedAndHeld("resumed"), new Resolution.Resume());

        var again = client().expectAcquired(heldRequest("again"));
        assertThat(again.recoveryPoint()).contains(RecoveryPoint.reached("charge"));
        assertThat(again.carried()).contains(payload("order 7"));
        var resumed = client().expectAcquired(heldRequest("resumed"));
        assertThat(resumed.recoveryPoint()).contains(RecoveryPoint.withCallAnnounced("charge"));
        assertThat(resumed.carried()).contains(payload("order 7"));
    }

    private ClaimRef announcedAndHeld(String key) {
        var claim = client().expectAcquired(heldRequest(key)).claim();
        client().expectWritten(new RecordWrite.Checkpoint(
                claim, RecoveryPoint.withCallAnnounced("charge"), Optional.of(payload("order 7")), Optional.empty()));
        client().expectWritten(new RecordWrite.Escalate(claim, "the connection broke"));
        return claim;
    }

    @Test
    default void storedRequestIsTheFirstOne() {
        client().claimAndRelease(flow("key-1"));

        var again = client().expectAcquired(resumableRequest("key-1").withStoredRequest(payload("as sent later")));

        assertThat(again.request()).contains(payload("the request"));
    }

    /** As a completer that came too late leaves the record: created without a request. */
    @Test
    default void recordWithoutAStoredRequestTakesTheNextOne() {
        client().claimAndRelease(resumableRequest("key-1"));

        assertThat(client().expectAcquired(flow("key-1")).request()).contains(payload("the request"));

        assertThat(client().expectPresent("key-1").request()).contains(payload("the request"));
        client().advanceTime(LEASE);
        var again = client().expectAcquired(resumableRequest("key-1").withStoredRequest(payload("as sent later")));
        assertThat(again.request()).contains(payload("the request"));
        client().advanceTime(LEASE.multipliedBy(2));
        var order = new AbandonedRecordSearch(StoreTestData.NAMESPACE, Duration.ZERO, LEASE, 10, 10);
        client().whereAble(
                        CompletionQueue.class,
                        queue -> assertThat(queue.pollAbandoned(order).abandoned())
                                .extracting(AbandonedRecord::id)
                                .containsExactly(again.id()));
    }

    @Test
    default void completionDropsTheStoredRequestAndWhatWasCarried() {
        var claim = client().expectAcquired(flow("key-1")).claim();
        client().expectWritten(checkpoint(claim, "charge_created", "charge 7"));

        client().expectWritten(complete(claim, "the outcome"));

        dropped(client().expectPresent("key-1"));
        dropped(client().expectFound(resumableRequest("key-1")));
    }

    @Test
    default void resolvedCompletionDropsTheStoredRequestAndWhatWasCarried() {
        var claim = client().expectAcquired(flow("key-1")).claim();
        client().expectWritten(checkpoint(claim, "charge_created", "charge 7"));
        client().expectWritten(new RecordWrite.Escalate(claim, "the connection broke"));

        client().resolve(claim, new Resolution.Done(payload("the outcome")));

        dropped(client().expectPresent("key-1"));
    }

    private static void dropped(StoredRecord completed) {
        assertThat(completed.state()).isEqualTo(RecordState.COMPLETED);
        assertThat(completed.outcome()).contains(payload("the outcome"));
        assertThat(completed.request()).isEmpty();
        assertThat(completed.carried()).isEmpty();
    }

    /** Elsewhere: the losing executor of a step is not stopped, and both continue with different results. */
    @Test
    default void checkpointOfAStalledRunnerIsRefusedAndTheCommittedPhaseStands() {
        var stalled = client().expectAcquired(flow("key-1")).claim();
        client().advanceTime(LEASE);
        var current = client().expectAcquired(resumableRequest("key-1")).claim();
        client().expectWritten(checkpoint(current, "charge_created", "charge 7"));

        goesOn(client().expectRefused(checkpoint(stalled, "ride_created", "ride 3"))
                .orElseThrow());

        goesOn(client().expectPresent("key-1"));
    }
}
