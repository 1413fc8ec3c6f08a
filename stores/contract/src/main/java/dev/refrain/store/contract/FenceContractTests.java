package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.LEASE;
import static dev.refrain.store.contract.StoreTestData.RETENTION;
import static dev.refrain.store.contract.StoreTestData.complete;
import static dev.refrain.store.contract.StoreTestData.heldRequest;
import static dev.refrain.store.contract.StoreTestData.identity;
import static dev.refrain.store.contract.StoreTestData.payload;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.RecordId;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * Tests of fencing: at most one claim of a record can write. A write with another (id, fence) changes nothing, and its caller
 * learns so.
 */
interface FenceContractTests extends StoreContractPart {

    @ParameterizedTest
    @EnumSource(SampleWrite.class)
    default void claimThatHoldsTheRecordWrites(SampleWrite kind) {
        var claim = client().expectAcquired(resumableRequest("key-1")).claim();

        client().expectWritten(kind.of(claim));

        var now = client().expectPresent("key-1");
        assertThat(now.state()).isEqualTo(kind.resultingState());
        assertThat(now.claim()).isEqualTo(claim);
    }

    /** Elsewhere: complete, release and extend match on the key alone, so a stalled runner completes another one's claim. */
    @ParameterizedTest
    @EnumSource(SampleWrite.class)
    default void claimThatWasTakenOverWritesNothing(SampleWrite kind) {
        var stalled = client().expectAcquired(resumableRequest("key-1")).claim();
        client().advanceTime(LEASE);
        var current = client().expectAcquired(resumableRequest("key-1"));

        var told = client().expectRefused(kind.of(stalled));

        StoreTestClient.assertSameRecord(told.orElseThrow(), current);
        client().expectUnchanged(identity("key-1"), current);
        client().expectWritten(complete(current.claim(), "by the second"));
    }

    @ParameterizedTest
    @EnumSource(SampleWrite.class)
    default void claimThatWasReleasedAndClaimedAgainWritesNothing(SampleWrite kind) {
        var former = client().claimAndRelease(resumableRequest("key-1")).claim();
        var current = client().expectAcquired(resumableRequest("key-1"));

        var told = client().expectRefused(kind.of(former));

        StoreTestClient.assertSameRecord(told.orElseThrow(), current);
        client().expectUnchanged(identity("key-1"), current);
    }

    @ParameterizedTest
    @EnumSource(SampleWrite.class)
    default void fenceThatWasNeverGivenOutWritesNothing(SampleWrite kind) {
        var current = client().expectAcquired(resumableRequest("key-1"));
        var invented = new ClaimRef(current.lookup(), current.id(), current.fence() + 1);

        client().expectRefused(kind.of(invented));

        client().expectUnchanged(identity("key-1"), current);
    }

    /** The fence alone does not distinguish a record from its successor: both start at 1. */
    @ParameterizedTest
    @EnumSource(SampleWrite.class)
    default void runnerOfAnExpiredRecordDoesNotWriteIntoTheOneThatFollowed(SampleWrite kind) {
        var former = client().claimAndRelease(resumableRequest("key-1")).claim();
        client().advanceTime(RETENTION);
        var fresh = client().expectAcquired(resumableRequest("key-1"));
        assertThat(fresh.fence()).isEqualTo(former.fence());

        var told = client().expectRefused(kind.of(former));

        StoreTestClient.assertSameRecord(told.orElseThrow(), fresh);
        client().expectUnchanged(identity("key-1"), fresh);
    }

    @ParameterizedTest
    @EnumSource(SampleWrite.class)
    default void writeToAnAbsentRecordIsRefusedAndMakesNone(SampleWrite kind) {
        var nowhere = new ClaimRef(identity("key-1").hash(), new RecordId(UUID.randomUUID()), 1);

        assertThat(client().expectRefused(kind.of(nowhere))).isEmpty();

        client().expectAbsent("key-1");
    }

    @ParameterizedTest
    @EnumSource(value = SampleWrite.class, mode = Mode.EXCLUDE, names = "COMPLETE")
    default void nothingFollowsACompletion(SampleWrite kind) {
        var completed = client().claimAndComplete(resumableRequest("key-1"), "the outcome");

        var told = client().expectRefused(kind.of(completed.claim()));

        assertThat(told.orElseThrow().outcome()).contains(payload("the outcome"));
        client().expectUnchanged(identity("key-1"), completed);
    }

    @ParameterizedTest
    @EnumSource(value = SampleWrite.class, mode = Mode.EXCLUDE, names = "RELEASE")
    default void releasedClaimWritesNothing(SampleWrite kind) {
        var released = client().claimAndRelease(resumableRequest("key-1"));

        var told = client().expectRefused(kind.of(released.claim()));

        StoreTestClient.assertSameRecord(told.orElseThrow(), released);
        client().expectUnchanged(identity("key-1"), released);
    }

    @ParameterizedTest
    @EnumSource(
            value = SampleWrite.class,
            names = {"RELEASE", "CHECKPOINT", "RENEW"})
    default void inAttentionALateRunnerCanOnlyComplete(SampleWrite kind) {
        var held = client().claimAndEscalate(heldRequest("key-1"), "the connection broke");

        var told = client().expectRefused(kind.of(held.claim()));

        StoreTestClient.assertSameRecord(told.orElseThrow(), held);
        client().expectUnchanged(identity("key-1"), held);
    }

    @Test
    default void runnerThatLostItsFenceIsGivenTheStoredOutcome() {
        var stalled = client().expectAcquired(resumableRequest("key-1")).claim();
        client().advanceTime(LEASE);
        client().claimAndComplete(resumableRequest("key-1"), "by the second");

        var told = client().expectRefused(complete(stalled, "by the first")).orElseThrow();

        assertThat(told.state()).isEqualTo(RecordState.COMPLETED);
        assertThat(told.outcome()).contains(payload("by the second"));
        assertThat(client().expectPresent("key-1").outcome()).contains(payload("by the second"));
    }

    @Test
    default void completedOutcomeNeverChangesNotEvenForWhoWroteIt() {
        var completed = client().claimAndComplete(resumableRequest("key-1"), "the outcome");

        var told = client().expectRefused(complete(completed.claim(), "on second thoughts"));

        assertThat(told.orElseThrow().outcome()).contains(payload("the outcome"));
        client().expectUnchanged(identity("key-1"), completed);
    }

    @Test
    default void lateCompletionAfterASweptReleaseIsRefused() {
        var stalled = client().expectAcquired(resumableRequest("key-1")).claim();
        client().advanceTime(LEASE);
        client().store().sweep(Duration.ZERO, 10);

        client().expectRefused(complete(stalled, "too late"));

        assertThat(client().expectPresent("key-1").state()).isEqualTo(RecordState.RELEASED);
        assertThat(client().expectAcquired(resumableRequest("key-1")).fence()).isEqualTo(2);
    }

    @Test
    default void renewalDoesNotBringAReleasedClaimBack() {
        var released = client().claimAndRelease(resumableRequest("key-1"));

        client().expectRefused(new RecordWrite.Renew(released.claim(), LEASE));

        assertThat(client().expectAcquired(resumableRequest("key-1")).fence()).isEqualTo(2);
    }
}
