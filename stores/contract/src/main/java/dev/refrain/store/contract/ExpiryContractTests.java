package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.LEASE;
import static dev.refrain.store.contract.StoreTestData.RETENTION;
import static dev.refrain.store.contract.StoreTestData.checkpoint;
import static dev.refrain.store.contract.StoreTestData.complete;
import static dev.refrain.store.contract.StoreTestData.conflictingRequest;
import static dev.refrain.store.contract.StoreTestData.heldRequest;
import static dev.refrain.store.contract.StoreTestData.payload;
import static dev.refrain.store.contract.StoreTestData.requestWithRetention;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static dev.refrain.store.contract.StoreTestData.roundedUp;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.RecordId;
import dev.refrain.api.Retention;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Resolution;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of retention: how long a record lives, and that only completed and released records expire. */
interface ExpiryContractTests extends StoreContractPart {

    Duration YEARS = Duration.ofDays(3_650);
    Duration MOST_OF_AN_HOUR = Duration.ofMinutes(50);
    Duration REST_OF_AN_HOUR = Duration.ofMinutes(10);

    /** Elsewhere: 409 for ever, also after the response itself expired. */
    @ParameterizedTest
    @EnumSource(
            value = SampleRecord.class,
            names = {"COMPLETED", "RELEASED"})
    default void afterItsRetentionTheSameKeyIsANewRequestWithANewId(SampleRecord settled) {
        var former = settled.create(client(), "key-1");
        client().advanceTime(RETENTION);
        client().expectAbsent("key-1");
        var request = conflictingRequest(resumableRequest("key-1")).withStoredRequest(payload("new"));

        var fresh = client().expectAcquired(request);

        assertThat(fresh.id()).isEqualTo(new RecordId(request.nonce())).isNotEqualTo(former.id());
        assertThat(fresh.fence()).isEqualTo(1);
        assertThat(fresh.fingerprint()).contains(request.fingerprint());
        assertThat(fresh.outcome()).isEmpty();
        assertThat(fresh.recoveryPoint()).isEmpty();
        assertThat(fresh.request()).contains(payload("new"));
        assertThat(fresh.remainingLife().orElseThrow()).isGreaterThan(RETENTION.minus(StoreTestData.SLACK));
        client().expectUnchanged(request.identity(), fresh);
    }

    @Test
    default void untilItsRetentionEndsAnOutcomeIsReplayed() {
        client().claimAndComplete(resumableRequest("key-1"), "the outcome");
        client().advanceTime(RETENTION.minus(Duration.ofMinutes(5)));

        assertThat(client().expectFound(resumableRequest("key-1")).outcome()).contains(payload("the outcome"));
    }

    @Test
    default void runningRecordDoesNotExpire() {
        var running = client().expectAcquired(resumableRequest("key-1"));
        client().advanceTime(YEARS);

        assertThat(client().expectPresent("key-1").claim()).isEqualTo(running.claim());
        var taken = client().expectAcquired(resumableRequest("key-1"));
        assertThat(taken.id()).isEqualTo(running.id());
        assertThat(taken.fence()).isEqualTo(2);
    }

    @Test
    default void heldClaimGoesToAttentionEvenAfterItsRetention() {
        var dead = client().expectAcquired(heldRequest("key-1"));
        client().advanceTime(RETENTION.multipliedBy(2));

        var found = client().expectFound(heldRequest("key-1"));

        assertThat(found.state()).isEqualTo(RecordState.ATTENTION);
        assertThat(found.claim()).isEqualTo(dead.claim());
    }

    @Test
    default void recordInAttentionDoesNotExpire() {
        var held = client().claimAndEscalate(heldRequest("key-1"), "the connection broke");
        client().advanceTime(YEARS);

        assertThat(client().expectFound(heldRequest("key-1")).claim()).isEqualTo(held.claim());
        assertThat(client().attention()).hasSize(1);
    }

    /** Elsewhere: after three days the order remains and nobody knows that it was not paid. */
    @Test
    default void halfDoneRecordDoesNotExpire() {
        var left = client().claimCheckpointAndRelease(resumableRequest("key-1"));
        client().advanceTime(YEARS);

        assertThat(client().expectPresent("key-1").claim()).isEqualTo(left.claim());
        assertThat(client().expectFound(conflictingRequest(resumableRequest("key-1")))
                        .claim())
                .isEqualTo(left.claim());
        var again = client().expectAcquired(resumableRequest("key-1"));
        assertThat(again.id()).isEqualTo(left.id());
        assertThat(again.recoveryPoint()).isEqualTo(left.recoveryPoint());
    }

    /** A time to live that the release set must end with the next claim: whatever follows, the record is no longer settled. */
    @Test
    default void recordThatWasReleasedAndClaimedAgainDoesNotExpire() {
        var running = releasedAndClaimedAgain("running");
        var held = releasedAndClaimedAgain("held");
        client().expectWritten(new RecordWrite.Escalate(held, "the connection broke"));
        var halfDone = releasedAndClaimedAgain("half done");
        client().expectWritten(checkpoint(halfDone, "charge_created", "charge 7"));
        client().expectWritten(new RecordWrite.Release(halfDone));
        var forEver = releasedAndClaimedAgain("for ever");
        client().expectWritten(new RecordWrite.Complete(
                forEver, Optional.of(payload("the outcome")), Optional.of(Retention.FOREVER)));

        client().advanceTime(YEARS);

        assertThat(List.of(
                        client().expectPresent("running").claim(),
                        client().expectPresent("held").claim(),
                        client().expectPresent("half done").claim(),
                        client().expectPresent("for ever").claim()))
                .containsExactly(running, held, halfDone, forEver);
    }

    private ClaimRef releasedAndClaimedAgain(String key) {
        client().claimAndRelease(heldRequest(key));
        return client().expectAcquired(heldRequest(key)).claim();
    }

    @Test
    default void recordResolvedToRunAgainIsKeptForAnHourEvenPastItsRetention() {
        var held = client().claimAndEscalate(heldRequest("key-1"), "the connection broke");
        client().advanceTime(RETENTION.multipliedBy(2));

        client().resolve(held.claim(), new Resolution.RunAgain());

        client().advanceTime(MOST_OF_AN_HOUR);
        assertThat(client().expectPresent("key-1").state()).isEqualTo(RecordState.RELEASED);
        assertThat(client().expectAcquired(heldRequest("key-1")).id()).isEqualTo(held.id());
    }

    @Test
    default void outcomeIsKeptForAnHourAfterCompletionEvenPastItsRetention() {
        var claim = client().expectAcquired(resumableRequest("key-1")).claim();
        client().advanceTime(RETENTION.multipliedBy(2));

        client().expectWritten(complete(claim, "late, and done"));

        keepsForAnHour();
    }

    @Test
    default void outcomeIsKeptForAnHourHoweverShortTheRetention() {
        client().claimAndComplete(requestWithRetention(Retention.of(Duration.ofSeconds(1)), "key-1"), "the outcome");

        keepsForAnHour();
    }

    @Test
    default void resolvedOutcomeIsKeptForAnHourEvenPastItsRetention() {
        var held = client().claimAndEscalate(heldRequest("key-1"), "the connection broke");
        client().advanceTime(RETENTION.multipliedBy(2));

        client().resolve(held.claim(), new Resolution.Done(payload("found at the bank")));

        keepsForAnHour();
    }

    private void keepsForAnHour() {
        client().advanceTime(MOST_OF_AN_HOUR);
        assertThat(client().expectFound(resumableRequest("key-1")).state()).isEqualTo(RecordState.COMPLETED);
        client().advanceTime(REST_OF_AN_HOUR);
        client().expectAbsent("key-1");
    }

    @Test
    default void retentionCountsFromTheFirstClaimNotFromTheLastNorFromCompletion() {
        client().claimAndRelease(resumableRequest("key-1"));
        client().advanceTime(RETENTION.dividedBy(2));
        client().claimAndComplete(resumableRequest("key-1"), "the outcome");

        assertThat(client().expectPresent("key-1").remainingLife().orElseThrow())
                .isLessThanOrEqualTo(roundedUp(RETENTION.dividedBy(2)));
        client().advanceTime(RETENTION.dividedBy(2));
        client().expectAbsent("key-1");
    }

    @Test
    default void completionMayKeepItsOutcomeLongerCountedFromTheFirstClaim() {
        completedInstead(Retention.of(RETENTION), Retention.of(RETENTION.multipliedBy(3)));

        client().advanceTime(RETENTION.multipliedBy(2));
        client().expectPresent("key-1");
        client().advanceTime(RETENTION);
        client().expectAbsent("key-1");
    }

    @Test
    default void completionMayKeepItsOutcomeLessLongButForAnHour() {
        completedInstead(Retention.of(RETENTION), Retention.of(Duration.ofMinutes(1)));

        keepsForAnHour();
    }

    @Test
    default void completionMayKeepItsOutcomeForEver() {
        completedInstead(Retention.of(RETENTION), Retention.FOREVER);

        assertThat(client().expectPresent("key-1").remainingLife()).isEmpty();
        client().advanceTime(YEARS);
        client().expectPresent("key-1");
    }

    @Test
    default void completionMayEndWhatWasToBeKeptForEver() {
        completedInstead(Retention.FOREVER, Retention.of(RETENTION));

        client().advanceTime(RETENTION);
        client().expectAbsent("key-1");
    }

    private void completedInstead(Retention claimed, Retention completed) {
        var claim =
                client().expectAcquired(requestWithRetention(claimed, "key-1")).claim();
        client().advanceTime(LEASE);
        client().expectWritten(
                        new RecordWrite.Complete(claim, Optional.of(payload("the outcome")), Optional.of(completed)));
    }

    @Test
    default void resolvedOutcomeMayBeKeptForEver() {
        var held = client().claimAndEscalate(heldRequest("key-1"), "the connection broke");
        client().advanceTime(RETENTION.multipliedBy(2));

        resolved(held.claim(), Retention.FOREVER);

        assertThat(client().expectPresent("key-1").remainingLife()).isEmpty();
        client().advanceTime(YEARS);
        client().expectPresent("key-1");
    }

    @Test
    default void resolvedOutcomeMayBeKeptLongerCountedFromTheFirstClaim() {
        var held = client().claimAndEscalate(heldRequest("key-1"), "the connection broke");
        client().advanceTime(RETENTION.multipliedBy(2));

        resolved(held.claim(), Retention.of(RETENTION.multipliedBy(4)));

        client().advanceTime(RETENTION);
        assertThat(client().expectFound(heldRequest("key-1")).outcome()).contains(payload("found at the bank"));
        client().advanceTime(RETENTION);
        client().expectAbsent("key-1");
    }

    private void resolved(ClaimRef claim, Retention kept) {
        client().resolve(claim, new Resolution.Done(Optional.of(payload("found at the bank")), Optional.of(kept)));
    }

    @Test
    default void recordKeptForEverNeverExpires() {
        client().claimAndComplete(requestWithRetention(Retention.FOREVER, "key-1"), "the outcome");
        client().claimAndRelease(requestWithRetention(Retention.FOREVER, "key-2"));
        client().advanceTime(YEARS);

        assertThat(client().store().reap(10)).isZero();
        assertThat(client().expectFound(requestWithRetention(Retention.FOREVER, "key-1"))
                        .outcome())
                .contains(payload("the outcome"));
        assertThat(client().expectAcquired(requestWithRetention(Retention.FOREVER, "key-2"))
                        .fence())
                .isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(SampleWrite.class)
    default void writeToAnExpiredRecordIsRefusedAndDoesNotBringItBack(SampleWrite kind) {
        var claim = client().expectAcquired(resumableRequest("key-1")).claim();
        var settles = kind == SampleWrite.RELEASE ? new RecordWrite.Release(claim) : SampleWrite.COMPLETE.of(claim);
        client().expectWritten(settles);
        client().advanceTime(RETENTION);

        assertThat(client().expectRefused(kind.of(claim))).isEmpty();

        client().expectAbsent("key-1");
    }

    /** Caches of completed outcomes rely on this number. */
    @Test
    default void remainingRetentionIsMeasuredByTheStoresClock() {
        client().claimAndComplete(resumableRequest("key-1"), "the outcome");
        client().advanceTime(Duration.ofHours(20));

        assertThat(client().expectFound(resumableRequest("key-1"))
                        .remainingLife()
                        .orElseThrow())
                .isBetween(Duration.ofHours(4).minus(StoreTestData.SLACK), roundedUp(Duration.ofHours(4)));
    }
}
