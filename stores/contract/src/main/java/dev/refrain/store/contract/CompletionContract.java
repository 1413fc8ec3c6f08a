package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.LEASE;
import static dev.refrain.store.contract.StoreTestData.batch;
import static dev.refrain.store.contract.StoreTestData.checkpoint;
import static dev.refrain.store.contract.StoreTestData.complete;
import static dev.refrain.store.contract.StoreTestData.heldRequest;
import static dev.refrain.store.contract.StoreTestData.identity;
import static dev.refrain.store.contract.StoreTestData.payload;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.refrain.api.RecoveryPoint;
import dev.refrain.store.AbandonedRecord;
import dev.refrain.store.AbandonedRecordPage;
import dev.refrain.store.AbandonedRecordSearch;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.EscalatedRecord;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Resolution;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.UnfinishedRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Suite of the ability {@link dev.refrain.store.CompletionQueue}: work with a stored request is completed without its caller;
 * each abandoned record goes to one completer at a time, for a limited number of attempts.
 */
public interface CompletionContract extends StoreContractPart {

    Duration AFTER = Duration.ofMinutes(1);
    Duration PAUSE = Duration.ofMinutes(2);
    AbandonedRecordPage NOTHING = new AbandonedRecordPage(List.of(), 0, false);

    private static ClaimRequest flow(String key) {
        return resumableRequest(key).withStoredRequest(payload("the request"));
    }

    private static AbandonedRecord abandoned(StoredRecord record, String key, int attempt) {
        return new AbandonedRecord(
                identity(key), record.id(), record.fingerprint().orElseThrow(), attempt);
    }

    private AbandonedRecordPage takenUp(int attempts, int limit) {
        return client().completion()
                .pollAbandoned(new AbandonedRecordSearch(identity("any").namespace(), AFTER, PAUSE, attempts, limit));
    }

    private AbandonedRecordPage takenUp() {
        return takenUp(10, 10);
    }

    @Test
    default void abandonedFlowIsFoundOnceItsLeaseIsOverForLongEnough() {
        var left = client().expectAcquired(flow("key-1"));
        client().advanceTime(LEASE);
        assertThat(takenUp()).isEqualTo(NOTHING);

        client().advanceTime(PAUSE);

        assertThat(takenUp()).isEqualTo(new AbandonedRecordPage(List.of(abandoned(left, "key-1", 1)), 0, false));
        assertThat(client().expectPresent("key-1").state())
                .as("to be claimed like any other")
                .isEqualTo(RecordState.IN_PROGRESS);
        assertThat(client().expectAcquired(resumableRequest("key-1")).request()).contains(payload("the request"));
    }

    @Test
    default void releasedOrSweptFlowIsFoundToo() {
        var released = client().claimAndRelease(flow("key-1"));
        var swept = client().expectAcquired(flow("key-2"));
        client().advanceTime(LEASE.plus(AFTER));
        client().store().sweep(Duration.ZERO, 10);

        assertThat(takenUp().abandoned())
                .containsExactlyInAnyOrder(abandoned(released, "key-1", 1), abandoned(swept, "key-2", 1));
    }

    /** The caller was asked to retry and gets the time to do so. */
    @Test
    default void flowJustReleasedIsLeftToItsCaller() {
        client().claimAndRelease(flow("key-1"));

        assertThat(takenUp()).isEqualTo(NOTHING);
    }

    @Test
    default void postponedFlowIsFoundNoSoonerThanItSays() {
        var claim = client().expectAcquired(flow("key-1")).claim();
        client().expectWritten(new RecordWrite.Release(claim, Duration.ofHours(2)));
        client().advanceTime(Duration.ofHours(1));
        assertThat(takenUp()).isEqualTo(NOTHING);

        client().advanceTime(Duration.ofHours(1));

        assertThat(takenUp().abandoned()).hasSize(1);
    }

    /** It would wait for as long as the clock was ahead. */
    @Test
    default void flowPutOffWhileTheClockWasAheadWaitsForItsPauseAlone() {
        var claim = client().expectAcquired(flow("key-1")).claim();
        client().letClockBeAhead(Duration.ofHours(5), () -> {
            client().expectWritten(new RecordWrite.Release(claim, Duration.ofHours(2)));
            client().store().sweep(AFTER, 10);
        });
        client().store().sweep(AFTER, 10);
        assertThat(takenUp()).isEqualTo(NOTHING);

        client().advanceTime(Duration.ofHours(2));

        assertThat(takenUp().abandoned()).hasSize(1);
    }

    @Test
    default void abandonedFlowIsFoundByOneCompleterOnly() {
        client().expectAcquired(flow("key-1"));
        client().advanceTime(LEASE.plus(AFTER));

        assertThat(takenUp().abandoned()).hasSize(1);
        assertThat(takenUp().abandoned()).isEmpty();
    }

    @Test
    default void eachAttemptIsCountedAndThePauseGrows() {
        client().expectAcquired(flow("key-1"));
        client().advanceTime(LEASE.plus(AFTER));
        assertThat(takenUp().abandoned()).extracting(AbandonedRecord::attempt).containsExactly(1);

        client().advanceTime(PAUSE);
        assertThat(takenUp().abandoned()).extracting(AbandonedRecord::attempt).containsExactly(2);

        client().advanceTime(PAUSE);
        assertThat(takenUp().abandoned()).isEmpty();

        client().advanceTime(PAUSE);
        assertThat(takenUp().abandoned()).extracting(AbandonedRecord::attempt).containsExactly(3);
    }

    /** A completer that could not claim the record has not tried to complete it. */
    @Test
    default void attemptThatNeverBeganIsTakenBack() {
        client().expectAcquired(flow("key-1"));
        client().expectAcquired(flow("key-2"));
        client().advanceTime(LEASE.plus(AFTER));
        var polled = takenUp(1, 10).abandoned();
        assertThat(polled).hasSize(2);

        var unattempted = polled.getFirst();
        client().completion().uncountAttempt(unattempted);
        assertThat(takenUp(1, 10).abandoned()).as("the pause stays").isEmpty();
        client().advanceTime(PAUSE);

        var again = takenUp(1, 10);
        assertThat(again.abandoned()).containsExactly(unattempted);
        assertThat(again.toAttention()).as("the other one was attempted").isEqualTo(1);
    }

    @Test
    default void attemptThatWasCountedAgainIsNotTakenBack() {
        client().expectAcquired(flow("key-1"));
        client().advanceTime(LEASE.plus(AFTER));
        var first = takenUp().abandoned().getFirst();
        client().advanceTime(PAUSE);
        takenUp();

        client().completion().uncountAttempt(first);
        client().advanceTime(PAUSE.multipliedBy(2));

        assertThat(takenUp().abandoned()).extracting(AbandonedRecord::attempt).containsExactly(3);
    }

    @Test
    default void noPauseIsLongerThanAnHour() {
        client().claimAndRelease(flow("key-1"));
        for (int attempt = 1; attempt <= 8; attempt++) {
            client().advanceTime(AbandonedRecordSearch.LONGEST_PAUSE);
            assertThat(takenUp().abandoned())
                    .extracting(AbandonedRecord::attempt)
                    .containsExactly(attempt);
        }
    }

    @Test
    default void afterTheLastAttemptAPersonHasToLook() {
        var claim = client().claimAndRelease(flow("key-1")).claim();
        client().advanceTime(LEASE);
        assertThat(takenUp(1, 10).abandoned()).hasSize(1);
        client().advanceTime(PAUSE);

        assertThat(takenUp(1, 10))
                .isEqualTo(new AbandonedRecordPage(
                        List.of(),
                        1,
                        false,
                        List.of(new EscalatedRecord(Optional.empty(), identity("key-1"), claim.id()))));

        assertThat(client().expectPresent("key-1").state()).isEqualTo(RecordState.ATTENTION);
        assertThat(client().attention()).singleElement().satisfies(item -> {
            assertThat(item.claim()).isEqualTo(claim);
            assertThat(item.reason()).contains("taken up 1 times", "stands at its beginning");
        });
        client().advanceTime(PAUSE);
        assertThat(takenUp(1, 10)).as("given up once").isEqualTo(NOTHING);
    }

    @Test
    default void reasonSaysWhereTheWorkStandsAndHowItsLastAttemptEnded() {
        var claim = client().expectAcquired(flow("key-1")).claim();
        client().expectWritten(new RecordWrite.Checkpoint(
                claim, RecoveryPoint.withCallAnnounced("charge"), Optional.empty(), Optional.empty()));
        client().expectWritten(new RecordWrite.Release(claim, Duration.ZERO, "threw java.io.IOException"));
        client().advanceTime(LEASE);
        assertThat(takenUp(1, 10).abandoned()).hasSize(1);
        client().advanceTime(PAUSE);

        takenUp(1, 10);

        assertThat(client().attention())
                .singleElement()
                .satisfies(item -> assertThat(item.reason())
                        .contains("It stands at point charge, whose call was announced and may have been sent."
                                + " Its last attempt ended: released: threw java.io.IOException."));
    }

    @Test
    default void decisionToRunAgainResetsTheAttemptsAndTheAnnouncedCall() {
        var claim = client().expectAcquired(flow("key-1")).claim();
        client().expectWritten(new RecordWrite.Checkpoint(
                claim, RecoveryPoint.withCallAnnounced("charge"), Optional.of(payload("order 7")), Optional.of(LEASE)));
        client().expectWritten(new RecordWrite.Escalate(claim, "the connection broke"));
        client().advanceTime(LEASE);
        assertThat(takenUp()).isEqualTo(NOTHING);

        client().resolve(claim, new Resolution.RunAgain());

        assertThat(takenUp().abandoned()).extracting(AbandonedRecord::attempt).containsExactly(1);
        assertThat(client().expectPresent("key-1").recoveryPoint()).contains(RecoveryPoint.reached("charge"));
        assertThat(client().expectPresent("key-1").carried()).contains(payload("order 7"));
    }

    @Test
    default void resumedRecordStartsTheAttemptsAnewAndItsCallMayHaveBeenSent() {
        var claim = client().expectAcquired(flow("key-1")).claim();
        client().expectWritten(new RecordWrite.Checkpoint(
                claim, RecoveryPoint.withCallAnnounced("charge"), Optional.of(payload("order 7")), Optional.of(LEASE)));
        client().expectWritten(new RecordWrite.Escalate(claim, "the connection broke"));
        client().advanceTime(LEASE);

        client().resolve(claim, new Resolution.Resume());

        assertThat(takenUp().abandoned()).extracting(AbandonedRecord::attempt).containsExactly(1);
        assertThat(client().expectPresent("key-1").recoveryPoint()).contains(RecoveryPoint.withCallAnnounced("charge"));
        assertThat(client().expectPresent("key-1").carried()).contains(payload("order 7"));
    }

    @Test
    default void flowBeingWorkedOnIsLeftAlone() {
        var first = client().expectAcquired(flow("key-1")).claim();
        client().advanceTime(LEASE);
        client().expectWritten(new RecordWrite.Renew(first, LEASE));
        assertThat(takenUp()).isEqualTo(NOTHING);

        client().advanceTime(LEASE.plus(AFTER));

        assertThat(takenUp().abandoned()).hasSize(1);
    }

    @Test
    default void finishedFlowIsNeverFound() {
        client().expectWritten(complete(client().expectAcquired(flow("key-1")).claim(), "the outcome"));
        client().advanceTime(LEASE.plus(AFTER));

        assertThat(takenUp()).isEqualTo(NOTHING);
    }

    @Test
    default void recordWithoutAStoredRequestIsNeverFound() {
        client().expectAcquired(resumableRequest("key-1"));
        client().expectAcquired(heldRequest("key-2"));
        client().advanceTime(LEASE.plus(AFTER));

        assertThat(takenUp()).isEqualTo(NOTHING);
    }

    @Test
    default void expiredFlowIsNotBegunAnew() {
        client().claimAndRelease(flow("key-1"));
        client().advanceTime(StoreTestData.RETENTION);

        assertThat(takenUp().abandoned()).isEmpty();
    }

    /** As after an outage that was longer than the retention. */
    @Test
    default void halfDoneFlowIsFoundHoweverLate() {
        var left = client().expectAcquired(flow("key-1"));
        client().expectWritten(checkpoint(left.claim(), "charge", "order 7"));
        client().advanceTime(StoreTestData.RETENTION.multipliedBy(2));
        client().store().sweep(Duration.ZERO, 10);
        client().store().reap(10);

        assertThat(takenUp().abandoned()).containsExactly(abandoned(left, "key-1", 1));

        assertThat(client().expectAcquired(resumableRequest("key-1")).id()).isEqualTo(left.id());
    }

    @Test
    default void flowOfAnotherNamespaceIsLeftAlone() {
        client().expectAcquired(flow("key-1"));
        client().advanceTime(LEASE.plus(AFTER));

        assertThat(client().completion()
                        .pollAbandoned(new AbandonedRecordSearch("another namespace", AFTER, PAUSE, 10, 10)))
                .isEqualTo(NOTHING);
    }

    @Test
    default void noMoreIsTakenUpThanIsAskedForAndTheOldestFirst() {
        client().claimAndRelease(flow("first"));
        client().advanceTime(Duration.ofSeconds(1));
        client().claimAll(batch(4, i -> flow("key-" + i)));
        client().advanceTime(LEASE.plus(AFTER));

        var some = takenUp(10, 3);

        assertThat(some.more()).isTrue();
        assertThat(some.abandoned()).hasSize(3);
        assertThat(some.abandoned()).extracting(left -> left.identity().key()).contains("first");
        assertThat(takenUp(10, 3).abandoned()).hasSize(2);
    }

    private List<UnfinishedRecord> unfinished(Duration longerThan, int limit) {
        return client().completion().listUnfinished(StoreTestData.NAMESPACE, longerThan, limit);
    }

    @Test
    default void unfinishedFlowsAreListedOldestFirstWithWhereTheyStand() {
        var released = client().expectAcquired(flow("released")).claim();
        client().expectWritten(checkpoint(released, "charged", "charge 7"));
        client().expectWritten(new RecordWrite.Release(released));
        client().advanceTime(LEASE);
        var held = client().expectAcquired(flow("held")).claim();
        client().expectWritten(new RecordWrite.Escalate(held, "nobody knows"));
        client().advanceTime(LEASE);
        client().expectAcquired(flow("running"));
        client().advanceTime(Duration.ofSeconds(1));

        var listed = unfinished(Duration.ZERO, 10);

        assertThat(listed)
                .extracting(u -> u.identity().key(), UnfinishedRecord::state, UnfinishedRecord::recoveryPoint)
                .containsExactly(
                        tuple("released", RecordState.RELEASED, Optional.of(RecoveryPoint.reached("charged"))),
                        tuple("held", RecordState.ATTENTION, Optional.empty()),
                        tuple("running", RecordState.IN_PROGRESS, Optional.empty()));
        assertThat(listed.getFirst().id()).isEqualTo(released.id());
        assertThat(listed.getFirst().age())
                .isBetween(LEASE.multipliedBy(2), LEASE.multipliedBy(2).plus(StoreTestData.SLACK));
        assertThat(unfinished(Duration.ZERO, 2)).hasSize(2);
        assertThat(unfinished(LEASE.plus(StoreTestData.SLACK), 10))
                .extracting(u -> u.identity().key())
                .containsExactly("released");
    }

    @Test
    default void endedForeignOrRequestlessRecordIsNotListedAsUnfinished() {
        client().expectWritten(complete(client().expectAcquired(flow("done")).claim(), "done"));
        client().expectAcquired(resumableRequest("no request"));
        client().advanceTime(LEASE);

        assertThat(unfinished(Duration.ZERO, 10)).isEmpty();
        client().expectAcquired(flow("key-1"));
        client().advanceTime(LEASE);
        assertThat(client().completion().listUnfinished("another namespace", Duration.ZERO, 10))
                .isEmpty();
        assertThat(unfinished(Duration.ZERO, 10)).hasSize(1);
    }

    @Test
    default void attemptsAreCountedInWhatIsListed() {
        client().expectAcquired(flow("key-1"));
        client().advanceTime(LEASE.plus(PAUSE));
        assertThat(takenUp().abandoned()).hasSize(1);

        assertThat(unfinished(Duration.ZERO, 10))
                .singleElement()
                .satisfies(u -> assertThat(u.attempts()).isEqualTo(1));
    }
}
