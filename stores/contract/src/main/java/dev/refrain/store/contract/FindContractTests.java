package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.LEASE;
import static dev.refrain.store.contract.StoreTestData.RETENTION;
import static dev.refrain.store.contract.StoreTestData.identity;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.RecordCounter;
import dev.refrain.store.RecordState;
import dev.refrain.store.SweepResult;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that lookups change nothing. */
interface FindContractTests extends StoreContractPart {

    @Test
    default void absentRecordIsEmptyAndLookingMakesNone() {
        client().expectAbsent("key-1");
        client().expectAbsent("key-1");

        client().whereAble(
                        RecordCounter.class,
                        counter -> assertThat(counter.countKeys(StoreTestData.SCOPE, 10))
                                .isZero());
        assertThat(client().expectAcquired(resumableRequest("key-1")).fence()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(SampleRecord.class)
    default void recordIsSeenAsItIsHoweverOftenItIsLookedAt(SampleRecord situation) {
        var before = situation.create(client(), "key-1");

        for (int i = 0; i < 3; i++) {
            client().expectUnchanged(identity("key-1"), before);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = SampleRecord.class,
            names = {"COMPLETED", "RELEASED"})
    default void expiredRecordIsEmptyEvenBeforeItIsReaped(SampleRecord settled) {
        settled.create(client(), "key-1");
        client().advanceTime(RETENTION);

        client().expectAbsent("key-1");
        client().expectAbsent("key-1");
        client().expectReaped(1, client().store().reap(10));
    }

    @Test
    default void lookingAtAClaimWhoseLeaseIsOverSettlesNothing() {
        var before = SampleRecord.LEASE_OVER_HOLD.create(client(), "key-1");
        client().advanceTime(LEASE);

        assertThat(client().expectPresent("key-1").state()).isEqualTo(RecordState.IN_PROGRESS);
        assertThat(client().expectPresent("key-1").owner()).isEqualTo(before.owner());
        assertThat(client().attention()).isEmpty();
        assertThat(client().store().sweep(Duration.ZERO, 10))
                .usingRecursiveComparison()
                .ignoringFields("escalated")
                .isEqualTo(new SweepResult(0, 1, false));
    }
}
