package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.LEASE;
import static dev.refrain.store.contract.StoreTestData.RETENTION;
import static dev.refrain.store.contract.StoreTestData.complete;
import static dev.refrain.store.contract.StoreTestData.heldRequest;
import static dev.refrain.store.contract.StoreTestData.identity;
import static dev.refrain.store.contract.StoreTestData.payload;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static dev.refrain.store.contract.StoreTestData.roundedUp;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.AuditTrailReader;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Resolution;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of lost replies: a caller that repeats a call gets the same answer as the first time. */
interface LostReplyContractTests extends StoreContractPart {

    @ParameterizedTest
    @EnumSource(
            value = SampleRecord.class,
            names = {"LEASE_OVER_RESUME", "RELEASED"})
    default void claimAskedAgainUnderTheSameNonceFindsItself(SampleRecord claimable) {
        claimable.create(client(), "key-1");
        var request = resumableRequest("key-1");

        var first = client().expectAcquired(request);
        var again = client().expectAcquired(request);

        StoreTestClient.assertSameRecord(again, first);
        client().expectUnchanged(identity("key-1"), first);
    }

    @Test
    default void firstClaimAskedAgainUnderTheSameNonceFindsItself() {
        var request = heldRequest("key-1");
        var first = client().expectAcquired(request);

        StoreTestClient.assertSameRecord(client().expectAcquired(request), first);
    }

    @Test
    default void claimAskedAgainDoesNotProlongItsLease() {
        var request = resumableRequest("key-1");
        client().expectAcquired(request);
        client().advanceTime(LEASE.dividedBy(2));

        assertThat(client().expectAcquired(request).remainingLease())
                .isLessThanOrEqualTo(roundedUp(LEASE.dividedBy(2)));

        assertThat(client().expectPresent("key-1").remainingLease()).isLessThanOrEqualTo(roundedUp(LEASE.dividedBy(2)));
    }

    @Test
    default void claimAskedAgainAfterATakeoverIsNoLongerItsOwn() {
        var lost = resumableRequest("key-1");
        client().expectAcquired(lost);
        client().advanceTime(LEASE);
        var current = client().expectAcquired(resumableRequest("key-1"));

        StoreTestClient.assertSameRecord(client().expectFound(lost), current);
    }

    /** Otherwise a delayed duplicate would create a claim that nobody runs. */
    @Test
    default void nonceNeverClaimsASecondTime() {
        var request = resumableRequest("key-1");
        var released = client().claimAndRelease(request);
        StoreTestClient.assertSameRecord(client().expectFound(request), released);

        var late = resumableRequest("key-2");
        var first = client().expectAcquired(late);
        client().advanceTime(LEASE);
        assertThat(client().expectFound(late).claim()).isEqualTo(first.claim());

        assertThat(client().expectAcquired(resumableRequest("key-2")).fence()).isEqualTo(2);
        client().expectRefused(complete(first.claim(), "under the old fence"));
    }

    @Test
    default void claimThatMustHoldAndWhoseReplyWasLostIsInAttentionToTheNextOne() {
        var request = heldRequest("key-1");
        client().expectAcquired(request);
        client().advanceTime(LEASE);

        assertThat(client().expectFound(request).state()).isEqualTo(RecordState.IN_PROGRESS);
        assertThat(client().expectFound(heldRequest("key-1")).state()).isEqualTo(RecordState.ATTENTION);
    }

    @Test
    default void claimAskedAgainAfterItsCompletionIsAnsweredWithTheOutcome() {
        var request = resumableRequest("key-1");
        client().claimAndComplete(request, "the outcome");

        assertThat(client().expectFound(request).outcome()).contains(payload("the outcome"));
    }

    @ParameterizedTest
    @EnumSource(SampleWrite.class)
    default void writeSentAgainIsWrittenAndChangesNothingMore(SampleWrite kind) {
        var claim = client().expectAcquired(resumableRequest("key-1")).claim();
        client().expectWritten(kind.of(claim));
        var after = client().expectPresent("key-1");

        client().expectWritten(kind.of(claim));
        client().expectWritten(kind.of(claim));

        var again = client().expectPresent("key-1");
        assertThat(again.state()).isEqualTo(after.state());
        assertThat(again.claim()).isEqualTo(after.claim());
        assertThat(again.recoveryPoint()).isEqualTo(after.recoveryPoint());
        assertThat(again.outcome()).isEqualTo(after.outcome());
        assertThat(again.carried()).isEqualTo(after.carried());
    }

    @Test
    default void completionOfTheStateAloneSentAgainIsWritten() {
        var complete = new RecordWrite.Complete(
                client().expectAcquired(resumableRequest("key-1")).claim(), Optional.empty(), Optional.empty());

        client().expectWritten(complete);
        client().expectWritten(complete);
    }

    @Test
    default void completionSentAgainDoesNotProlongTheLifeOfItsOutcome() {
        var claim = client().expectAcquired(resumableRequest("key-1")).claim();
        client().advanceTime(RETENTION);
        client().expectWritten(complete(claim, "the outcome"));
        client().advanceTime(Duration.ofMinutes(50));

        client().expectWritten(complete(claim, "the outcome"));

        client().advanceTime(Duration.ofMinutes(10));
        client().expectAbsent("key-1");
    }

    @Test
    default void releaseSentAgainDoesNotFreeTheNextClaim() {
        var release = new RecordWrite.Release(
                client().expectAcquired(resumableRequest("key-1")).claim());
        client().expectWritten(release);
        var next = client().expectAcquired(resumableRequest("key-1"));

        client().expectRefused(release);

        client().expectUnchanged(identity("key-1"), next);
    }

    @Test
    default void escalationSentAgainKeepsItsFirstReasonAndTime() {
        var claim = client().expectAcquired(heldRequest("key-1")).claim();
        client().expectWritten(new RecordWrite.Escalate(claim, "the first"));
        client().advanceTime(LEASE);

        client().expectWritten(new RecordWrite.Escalate(claim, "the second"));

        assertThat(client().attention()).singleElement().satisfies(item -> {
            assertThat(item.reason()).isEqualTo("the first");
            assertThat(item.age()).isGreaterThanOrEqualTo(LEASE);
        });
    }

    @Test
    default void escalationSentAgainAfterALateCompletionIsRefused() {
        var escalate = new RecordWrite.Escalate(
                client().expectAcquired(heldRequest("key-1")).claim(), "the connection broke");
        client().expectWritten(escalate);
        client().expectWritten(complete(escalate.claim(), "it went through"));

        assertThat(client().expectRefused(escalate).orElseThrow().outcome()).contains(payload("it went through"));
    }

    @Test
    default void resolutionSentAgainIsRefusedAndAuditedOnce() {
        var held = client().claimAndEscalate(heldRequest("key-1"), "the connection broke");
        var done = new Resolution.Done(payload("found at the bank"));
        client().resolve(held.claim(), done);

        var told = StoreTestClient.expectRefused(
                client().store().resolve(new Resolution(held.claim(), done, "ann", "again")));

        assertThat(told.orElseThrow().state()).isEqualTo(RecordState.COMPLETED);
        assertThat(told.orElseThrow().fence()).isEqualTo(2);
        client().whereAble(
                        AuditTrailReader.class,
                        trail -> assertThat(trail.listAuditTrail(10)).hasSize(1));
    }
}
