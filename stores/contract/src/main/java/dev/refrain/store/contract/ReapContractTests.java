package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.RETENTION;
import static dev.refrain.store.contract.StoreTestData.batch;
import static dev.refrain.store.contract.StoreTestData.complete;
import static dev.refrain.store.contract.StoreTestData.heldRequest;
import static dev.refrain.store.contract.StoreTestData.identity;
import static dev.refrain.store.contract.StoreTestData.requestWithRetention;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.Retention;
import dev.refrain.store.RecordState;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that reaping deletes only expired COMPLETED and RELEASED records. */
interface ReapContractTests extends StoreContractPart {

    @Test
    default void expiredRecordsAreDeleted() {
        client().claimAndComplete(resumableRequest("key-1"), "done");
        client().claimAndRelease(resumableRequest("key-2"));
        client().advanceTime(RETENTION);

        client().expectReaped(2, client().store().reap(10));

        client().expectAbsent("key-1");
        client().expectAbsent("key-2");
        client().expectCounted(0, 2);
        assertThat(client().store().reap(10)).isZero();
    }

    @Test
    default void nothingIsDeletedBeforeItExpires() {
        client().claimAndComplete(resumableRequest("key-1"), "done");
        client().claimAndRelease(resumableRequest("key-2"));
        client().advanceTime(RETENTION.minus(Duration.ofMinutes(5)));

        assertThat(client().store().reap(10)).isZero();

        assertThat(client().expectPresent("key-1").state()).isEqualTo(RecordState.COMPLETED);
        assertThat(client().expectPresent("key-2").state()).isEqualTo(RecordState.RELEASED);
    }

    /** Elsewhere: the reaper deletes unfinished keys too. */
    @ParameterizedTest
    @EnumSource(
            value = SampleRecord.class,
            names = {"RUNNING", "LEASE_OVER_RESUME", "LEASE_OVER_HOLD", "ATTENTION"})
    default void unfinishedWorkIsNeverDeletedHoweverOld(SampleRecord unfinished) {
        var before = unfinished.create(client(), "key-1");
        client().advanceTime(RETENTION.multipliedBy(100));

        assertThat(client().store().reap(10)).isZero();

        assertThat(client().expectPresent("key-1").claim()).isEqualTo(before.claim());
        assertThat(client().expectPresent("key-1").state()).isEqualTo(before.state());
        client().expectWritten(complete(before.claim(), "late, and done"));
    }

    @Test
    default void halfDoneRecordIsNeverDeletedHoweverOld() {
        var left = client().claimCheckpointAndRelease(resumableRequest("key-1"));
        client().claimAndComplete(resumableRequest("key-2"), "done");
        client().advanceTime(RETENTION.multipliedBy(100));

        client().expectReaped(1, client().store().reap(10));

        assertThat(client().expectPresent("key-1").claim()).isEqualTo(left.claim());
        assertThat(client().expectPresent("key-1").carried()).isEqualTo(left.carried());
    }

    @Test
    default void recordKeptForEverIsNotDeleted() {
        client().claimAndComplete(requestWithRetention(Retention.FOREVER, "key-1"), "done");
        client().advanceTime(RETENTION.multipliedBy(1_000));

        assertThat(client().store().reap(10)).isZero();

        client().expectPresent("key-1");
    }

    /** Elsewhere: deleting an expired record races with a fresh insert and removes it. */
    @Test
    default void recordMadeAnewAfterExpiryIsNotDeletedForTheOldOnesAge() {
        client().claimAndComplete(resumableRequest("key-1"), "done");
        client().advanceTime(RETENTION);
        var fresh = client().expectAcquired(heldRequest("key-1"));

        assertThat(client().store().reap(10)).isZero();

        client().expectUnchanged(identity("key-1"), fresh);
        client().expectWritten(complete(fresh.claim(), "anew"));
        assertThat(client().store().reap(10)).isZero();
        client().expectPresent("key-1");
    }

    @Test
    default void outcomeCompletedPastItsRetentionIsNotDeletedBeforeItsHour() {
        var claim = client().expectAcquired(resumableRequest("key-1")).claim();
        client().advanceTime(RETENTION);
        client().expectWritten(complete(claim, "late, and done"));
        client().advanceTime(Duration.ofMinutes(50));

        assertThat(client().store().reap(10)).isZero();
        client().expectPresent("key-1");

        client().advanceTime(Duration.ofMinutes(10));
        client().expectReaped(1, client().store().reap(10));
    }

    @Test
    default void reapIsBoundedAndSaysHowManyItDeleted() {
        for (var request : batch(7, i -> resumableRequest("key-" + i))) {
            client().claimAndComplete(request, "done");
        }
        client().expectAcquired(resumableRequest("running"));
        client().advanceTime(RETENTION);

        client().expectReaped(3, client().store().reap(3));
        client().expectReaped(3, client().store().reap(3));
        client().expectReaped(1, client().store().reap(3));
        assertThat(client().store().reap(3)).isZero();
        client().expectCounted(1, 7);
    }

    @Test
    default void reapedKeyIsANewRequest() {
        var former = client().claimAndComplete(resumableRequest("key-1"), "done");
        client().advanceTime(RETENTION);
        client().store().reap(10);

        var fresh = client().expectAcquired(resumableRequest("key-1"));

        assertThat(fresh.id()).isNotEqualTo(former.id());
        assertThat(fresh.fence()).isEqualTo(1);
    }
}
