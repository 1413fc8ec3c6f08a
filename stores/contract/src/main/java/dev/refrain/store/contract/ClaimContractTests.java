package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.LEASE;
import static dev.refrain.store.contract.StoreTestData.RETENTION;
import static dev.refrain.store.contract.StoreTestData.SLACK;
import static dev.refrain.store.contract.StoreTestData.conflictingRequest;
import static dev.refrain.store.contract.StoreTestData.fingerprint;
import static dev.refrain.store.contract.StoreTestData.heldRequest;
import static dev.refrain.store.contract.StoreTestData.identity;
import static dev.refrain.store.contract.StoreTestData.payload;
import static dev.refrain.store.contract.StoreTestData.request;
import static dev.refrain.store.contract.StoreTestData.requestWithRetention;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static dev.refrain.store.contract.StoreTestData.retryOf;
import static dev.refrain.store.contract.StoreTestData.roundedUp;
import static dev.refrain.store.contract.StoreTestData.withLease;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.RecordId;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.RecordCounter;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of claims: the answer in each state, and that a different request under the same key never runs. */
interface ClaimContractTests extends StoreContractPart {

    @Test
    default void absentRecordIsAcquired() {
        var request = heldRequest("key-1").withSubject("eve").withStoredRequest(payload("the request"));

        var record = client().expectAcquired(request);

        assertThat(record.lookup()).isEqualTo(request.identity().hash());
        assertThat(record.id()).isEqualTo(new RecordId(request.nonce()));
        assertThat(record.fence()).isEqualTo(1);
        assertThat(record.owner()).isEqualTo(request.nonce());
        assertThat(record.state()).isEqualTo(RecordState.IN_PROGRESS);
        assertThat(record.takeOver()).isEqualTo(LeaseExpiryPolicy.HOLD);
        assertThat(record.fingerprint()).contains(request.fingerprint());
        assertThat(record.recoveryPoint()).isEmpty();
        assertThat(record.remainingLease()).isBetween(LEASE.minus(SLACK), roundedUp(LEASE));
        assertThat(record.remainingLife().orElseThrow()).isBetween(RETENTION.minus(SLACK), roundedUp(RETENTION));
        assertThat(record.outcome()).isEmpty();
        assertThat(record.request()).contains(payload("the request"));
        assertThat(record.carried()).isEmpty();
    }

    @Test
    default void acquiredRecordIsFoundAfterwards() {
        var acquired = client().expectAcquired(resumableRequest("key-1"));

        client().expectUnchanged(identity("key-1"), acquired);
    }

    /**
     * Elsewhere: losing the race to insert still means "acquired"; a duplicate in flight gets nothing, reported as a success.
     */
    @Test
    default void secondClaimIsAnsweredWithTheFirst() {
        var first = client().expectAcquired(resumableRequest("key-1"));

        var second = client().expectFound(resumableRequest("key-1"));

        StoreTestClient.assertSameRecord(second, first);
    }

    /** Elsewhere: a waiter that times out releases the claim of the caller that is still working. */
    @Test
    default void askingForARunningRecordHoweverOftenChangesNothing() {
        var first = client().expectAcquired(resumableRequest("key-1"));

        for (int i = 0; i < 20; i++) {
            client().expectFound(i % 2 == 0 ? resumableRequest("key-1") : heldRequest("key-1"));
        }

        client().expectUnchanged(identity("key-1"), first);
        client().expectWritten(StoreTestData.complete(first.claim(), "done"));
    }

    /** Elsewhere: a mismatch while the first request is in flight returns "in progress"; a reused key runs twice. */
    @ParameterizedTest
    @EnumSource(SampleRecord.class)
    default void differentRequestIsNeverRunAndChangesNothing(SampleRecord situation) {
        var before = situation.create(client(), "key-1");

        var found = client().expectFound(conflictingRequest(resumableRequest("key-1")));

        assertThat(found.fingerprint()).contains(fingerprint("the request"));
        StoreTestClient.assertSameRecord(found, before);
        client().expectUnchanged(identity("key-1"), before);
        assertThat(client().attention()).hasSize(situation == SampleRecord.ATTENTION ? 1 : 0);
    }

    @ParameterizedTest
    @EnumSource(SampleRecord.class)
    default void equalDigestMadeByAnotherRecipeIsNotTheSameRequest(SampleRecord situation) {
        var before = situation.create(client(), "key-1");

        var found = client().expectFound(
                        resumableRequest("key-1").withFingerprint(fingerprint("2/contract", "the request")));

        StoreTestClient.assertSameRecord(found, before);
        client().expectUnchanged(identity("key-1"), before);
    }

    @Test
    default void releasedRecordIsClaimedUnderTheSameIdAndTheNextFence() {
        var released = client().claimAndRelease(resumableRequest("key-1"));
        var request = withLease(LEASE.multipliedBy(2), heldRequest("key-1"));

        var again = client().expectAcquired(request);

        assertThat(again.id()).isEqualTo(released.id());
        assertThat(again.fence()).isEqualTo(2);
        assertThat(again.owner()).isEqualTo(request.nonce());
        assertThat(again.state()).isEqualTo(RecordState.IN_PROGRESS);
        assertThat(again.takeOver()).isEqualTo(LeaseExpiryPolicy.HOLD);
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
    default void releaseKeepsIdFingerprintFenceAndExpiry() {
        var acquired = client().expectAcquired(resumableRequest("key-1"));
        client().advanceTime(Duration.ofHours(3));
        client().expectWritten(new RecordWrite.Release(acquired.claim()));

        var released = client().expectPresent("key-1");

        assertThat(released.state()).isEqualTo(RecordState.RELEASED);
        assertThat(released.claim()).isEqualTo(acquired.claim());
        assertThat(released.fingerprint()).isEqualTo(acquired.fingerprint());
        assertThat(released.remainingLife().orElseThrow()).isLessThanOrEqualTo(roundedUp(Duration.ofHours(21)));
    }

    /** Elsewhere: a replay writes to the database (upsert, then roll back). */
    @Test
    default void completedRecordIsAnsweredWithItsOutcomeAndNotTouched() {
        var completed = client().claimAndComplete(resumableRequest("key-1"), "the outcome");

        for (int i = 0; i < 3; i++) {
            var replay = client().expectFound(resumableRequest("key-1"));
            assertThat(replay.state()).isEqualTo(RecordState.COMPLETED);
            assertThat(replay.outcome()).contains(payload("the outcome"));
            StoreTestClient.assertSameRecord(replay, completed);
        }
        client().expectUnchanged(identity("key-1"), completed);
    }

    @Test
    default void recordInAttentionIsNeverAcquiredHoweverLongItWaits() {
        var held = client().claimAndEscalate(resumableRequest("key-1"), "the connection broke");
        client().advanceTime(Duration.ofDays(400));

        var found = client().expectFound(resumableRequest("key-1"));

        assertThat(found.state()).isEqualTo(RecordState.ATTENTION);
        assertThat(found.claim()).isEqualTo(held.claim());
    }

    @Test
    default void callerAnsweredInProgressMayAskAgainUnderTheSameNonce() {
        var first = client().expectAcquired(resumableRequest("key-1"));
        var waiting = resumableRequest("key-1");
        client().expectFound(waiting);
        client().expectWritten(new RecordWrite.Release(first.claim()));

        var acquired = client().expectAcquired(waiting);

        assertThat(acquired.id()).isEqualTo(first.id());
        assertThat(acquired.owner()).isEqualTo(waiting.nonce());
        assertThat(acquired.fence()).isEqualTo(2);
    }

    @Test
    default void recordKeptForEverHasNoEnd() {
        assertThat(client().expectAcquired(requestWithRetention(Retention.FOREVER, "key-1"))
                        .remainingLife())
                .isEmpty();
    }

    @Test
    default void longestAndTheOddestIdentitiesAreKeptApart() {
        String wide = "ü".repeat(ScopedKey.MAX_BYTES / 2);
        String longest = "~".repeat(ScopedKey.MAX_BYTES);
        var longOne = request(new ScopedKey(wide, wide, longest), LeaseExpiryPolicy.RESUME, Retention.FOREVER);
        var odd = request(
                new ScopedKey("", "名前 😀 ' \" \\ % _ \u0001 \uFFFF", "{\"$gt\":1}"),
                LeaseExpiryPolicy.RESUME,
                Retention.FOREVER);

        var first = client().expectAcquired(longOne);
        var second = client().expectAcquired(odd);

        client().expectUnchanged(longOne.identity(), first);
        client().expectUnchanged(odd.identity(), second);
        client().whereAble(
                        RecordCounter.class,
                        counter -> assertThat(counter.countKeys(wide, 10)).isEqualTo(1));
        client().whereAble(
                        RecordCounter.class,
                        counter -> assertThat(counter.countKeys("", 10)).isEqualTo(1));
    }
}
