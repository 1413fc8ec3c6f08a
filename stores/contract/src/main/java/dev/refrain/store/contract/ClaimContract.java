package dev.refrain.store.contract;

import static dev.refrain.store.contract.Samples.LEASE;
import static dev.refrain.store.contract.Samples.RETENTION;
import static dev.refrain.store.contract.Samples.SLACK;
import static dev.refrain.store.contract.Samples.fingerprint;
import static dev.refrain.store.contract.Samples.heldRequest;
import static dev.refrain.store.contract.Samples.identity;
import static dev.refrain.store.contract.Samples.requestWithRetention;
import static dev.refrain.store.contract.Samples.withLease;
import static dev.refrain.store.contract.Samples.payload;
import static dev.refrain.store.contract.Samples.request;
import static dev.refrain.store.contract.Samples.resumableRequest;
import static dev.refrain.store.contract.Samples.retryOf;
import static dev.refrain.store.contract.Samples.conflictingRequest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.key.Identity;
import dev.refrain.key.RecordId;
import dev.refrain.outcome.Retention;
import dev.refrain.store.State;
import dev.refrain.store.TakeOver;
import dev.refrain.store.Write;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who may run: what a claim answers in each state, and that a different request never may. */
interface ClaimContract extends Topic {

    @Test
    default void anAbsentRecordIsAcquired() {
        var request = heldRequest("key-1").withSubject(Optional.of("eve")).withStoredRequest(Optional.of(payload("the request")));

        var record = client().expectAcquired(request);

        assertThat(record.lookup()).isEqualTo(request.identity().hash());
        assertThat(record.id()).isEqualTo(new RecordId(request.nonce()));
        assertThat(record.fence()).isEqualTo(1);
        assertThat(record.owner()).isEqualTo(request.nonce());
        assertThat(record.state()).isEqualTo(State.IN_PROGRESS);
        assertThat(record.takeOver()).isEqualTo(TakeOver.HOLD);
        assertThat(record.fingerprint()).contains(request.fingerprint());
        assertThat(record.recoveryPoint()).isEmpty();
        assertThat(record.remainingLease()).isBetween(LEASE.minus(SLACK), LEASE);
        assertThat(record.remainingLife().orElseThrow()).isBetween(RETENTION.minus(SLACK), RETENTION);
        assertThat(record.outcome()).isEmpty();
        assertThat(record.request()).contains(payload("the request"));
        assertThat(record.carried()).isEmpty();
    }

    @Test
    default void whatWasAcquiredIsWhatIsFoundAfterwards() {
        var acquired = client().expectAcquired(resumableRequest("key-1"));

        client().expectUnchanged(identity("key-1"), acquired);
    }

    /** Elsewhere: losing the race to insert still means "acquired"; a duplicate in flight gets nothing, as a success. */
    @Test
    default void whoComesSecondIsToldWhoCameFirst() {
        var first = client().expectAcquired(resumableRequest("key-1"));

        var second = client().expectFound(resumableRequest("key-1"));

        Probe.assertSameRecord(second, first);
    }

    /** Elsewhere: a waiter whose patience ends frees the claim of the one still working. */
    @Test
    default void askingForARunningRecordHoweverOftenChangesNothing() {
        var first = client().expectAcquired(resumableRequest("key-1"));

        for (int i = 0; i < 20; i++) {
            client().expectFound(i % 2 == 0 ? resumableRequest("key-1") : heldRequest("key-1"));
        }

        client().expectUnchanged(identity("key-1"), first);
        client().expectWritten(Samples.complete(first.claim(), "done"));
    }

    /** Elsewhere: a mismatch while the first is in flight answers "in progress"; a reused key runs twice. */
    @ParameterizedTest
    @EnumSource(Situation.class)
    default void aDifferentRequestIsNeverRunAndChangesNothing(Situation situation) {
        var before = situation.create(client(), "key-1");

        var found = client().expectFound(conflictingRequest(resumableRequest("key-1")));

        assertThat(found.fingerprint()).contains(fingerprint("the request"));
        Probe.assertSameRecord(found, before);
        client().expectUnchanged(identity("key-1"), before);
        assertThat(client().attention()).hasSize(situation == Situation.ATTENTION ? 1 : 0);
    }

    @ParameterizedTest
    @EnumSource(Situation.class)
    default void aLikeDigestMadeByAnotherRecipeIsNotTheSameRequest(Situation situation) {
        var before = situation.create(client(), "key-1");

        var found = client().expectFound(resumableRequest("key-1").withFingerprint(fingerprint("2/contract", "the request")));

        Probe.assertSameRecord(found, before);
        client().expectUnchanged(identity("key-1"), before);
    }

    @Test
    default void aReleasedRecordIsClaimedUnderTheSameIdAndTheNextFence() {
        var released = client().claimAndRelease(resumableRequest("key-1"));
        var request = withLease(LEASE.multipliedBy(2), heldRequest("key-1"));

        var again = client().expectAcquired(request);

        assertThat(again.id()).isEqualTo(released.id());
        assertThat(again.fence()).isEqualTo(2);
        assertThat(again.owner()).isEqualTo(request.nonce());
        assertThat(again.state()).isEqualTo(State.IN_PROGRESS);
        assertThat(again.takeOver()).isEqualTo(TakeOver.HOLD);
        assertThat(again.remainingLease()).isGreaterThan(LEASE);
        client().expectUnchanged(identity("key-1"), again);
    }

    @Test
    default void everyClaimOfARecordHasAGreaterFenceAndTheSameId() {
        var request = resumableRequest("key-1");
        var first = client().claimAndRelease(request);

        for (long fence = 2; fence <= 10; fence++) {
            var again = client().claimAndRelease(retryOf(request));
            assertThat(again.fence()).isEqualTo(fence);
            assertThat(again.id()).isEqualTo(first.id());
        }
    }

    @Test
    default void aReleaseKeepsIdFingerprintFenceAndExpiry() {
        var acquired = client().expectAcquired(resumableRequest("key-1"));
        client().advanceTime(Duration.ofHours(3));
        client().expectWritten(new Write.Release(acquired.claim()));

        var released = client().expectPresent("key-1");

        assertThat(released.state()).isEqualTo(State.RELEASED);
        assertThat(released.claim()).isEqualTo(acquired.claim());
        assertThat(released.fingerprint()).isEqualTo(acquired.fingerprint());
        assertThat(released.remainingLife().orElseThrow()).isLessThanOrEqualTo(Duration.ofHours(21));
    }

    /** Elsewhere: a replay writes to the database (upsert, then roll back). */
    @Test
    default void aCompletedRecordIsAnsweredWithItsOutcomeAndNotTouched() {
        var completed = client().claimAndComplete(resumableRequest("key-1"), "the outcome");

        for (int i = 0; i < 3; i++) {
            var replay = client().expectFound(resumableRequest("key-1"));
            assertThat(replay.state()).isEqualTo(State.COMPLETED);
            assertThat(replay.outcome()).contains(payload("the outcome"));
            Probe.assertSameRecord(replay, completed);
        }
        client().expectUnchanged(identity("key-1"), completed);
    }

    @Test
    default void aRecordInAttentionIsNeverAcquiredHoweverLongItWaits() {
        var held = client().claimAndEscalate(resumableRequest("key-1"), "the connection broke");
        client().advanceTime(Duration.ofDays(400));

        var found = client().expectFound(resumableRequest("key-1"));

        assertThat(found.state()).isEqualTo(State.ATTENTION);
        assertThat(found.claim()).isEqualTo(held.claim());
    }

    @Test
    default void whoWasToldInProgressMayAskAgainUnderTheSameNonce() {
        var first = client().expectAcquired(resumableRequest("key-1"));
        var waiting = resumableRequest("key-1");
        client().expectFound(waiting);
        client().expectWritten(new Write.Release(first.claim()));

        var acquired = client().expectAcquired(waiting);

        assertThat(acquired.id()).isEqualTo(first.id());
        assertThat(acquired.owner()).isEqualTo(waiting.nonce());
        assertThat(acquired.fence()).isEqualTo(2);
    }

    @Test
    default void aRecordKeptForEverHasNoEnd() {
        assertThat(client().expectAcquired(requestWithRetention(Retention.FOREVER, "key-1")).remainingLife())
                .isEmpty();
    }

    @Test
    default void theLongestAndTheOddestIdentitiesAreKeptApart() {
        String wide = "ü".repeat(Identity.MAX_BYTES / 2);
        String longest = "~".repeat(Identity.MAX_BYTES);
        var longOne = request(new Identity(wide, wide, longest), TakeOver.RESUME, Retention.FOREVER);
        var odd = request(
                new Identity("", "名前 😀 ' \" \\ % _ \u0001 \uFFFF", "{\"$gt\":1}"),
                TakeOver.RESUME,
                Retention.FOREVER);

        var first = client().expectAcquired(longOne);
        var second = client().expectAcquired(odd);

        client().expectUnchanged(longOne.identity(), first);
        client().expectUnchanged(odd.identity(), second);
        assertThat(client().store().countKeys(wide, 10)).isEqualTo(1);
        assertThat(client().store().countKeys("", 10)).isEqualTo(1);
    }
}
