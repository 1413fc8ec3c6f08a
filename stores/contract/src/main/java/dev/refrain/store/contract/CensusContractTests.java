package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.LEASE;
import static dev.refrain.store.contract.StoreTestData.SLACK;
import static dev.refrain.store.contract.StoreTestData.batch;
import static dev.refrain.store.contract.StoreTestData.complete;
import static dev.refrain.store.contract.StoreTestData.heldRequest;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.RecordWrite;
import dev.refrain.store.UnsettledCounts;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of the counts of unfinished records and the age of the oldest, computed without reading the records themselves. */
interface CensusContractTests extends StoreContractPart {

    @Test
    default void emptyStoreCountsNothing() {
        assertThat(client().counter().countUnsettled(10))
                .isEqualTo(new UnsettledCounts(0, 0, 0, Optional.empty(), 0, Optional.empty(), false));
    }

    @Test
    default void everyStateIsCountedForWhatItIs() {
        for (var situation : SampleRecord.values()) {
            situation.create(client(), situation.name());
        }

        var census = client().counter().countUnsettled(100);
        assertThat(census.inProgress())
                .as("running, and two whose lease is over")
                .isEqualTo(3);
        assertThat(census.leaseOver()).isEqualTo(2);
        assertThat(census.attention()).isEqualTo(1);
        assertThat(census.more()).isFalse();
    }

    @Test
    default void oldestIsAsOldAsItsFirstClaim() {
        var first = client().claimAndRelease(resumableRequest("key-1"));
        client().advanceTime(Duration.ofMinutes(7));
        assertThat(client().counter().countUnsettled(10).oldest())
                .as("released")
                .isEmpty();
        client().expectAcquired(resumableRequest("key-2"));
        assertThat(client().counter().countUnsettled(10).oldest().orElseThrow()).isBetween(Duration.ZERO, SLACK);

        var again = client().expectAcquired(resumableRequest("key-1"));
        assertThat(again.id()).isEqualTo(first.id());
        assertThat(client().counter().countUnsettled(10).oldest().orElseThrow())
                .isBetween(Duration.ofMinutes(7), Duration.ofMinutes(7).plus(SLACK));
    }

    /** A slow claim that renews its lease is still reported by its full age, not by the age of its lease. */
    @Test
    default void renewedClaimIsCountedByItsFullAge() {
        var slow = client().expectAcquired(resumableRequest("key-1")).claim();
        for (int i = 0; i < 4; i++) {
            client().advanceTime(LEASE.dividedBy(2));
            client().expectWritten(new RecordWrite.Renew(slow, LEASE));
        }

        var census = client().counter().countUnsettled(10);
        assertThat(census.leaseOver()).isZero();
        assertThat(census.oldest().orElseThrow())
                .isBetween(LEASE.multipliedBy(2), LEASE.multipliedBy(2).plus(SLACK));
    }

    @Test
    default void claimMadeAfterAClockWasAheadIsCounted() {
        client().letClockBeAhead(Duration.ofDays(1), () -> client().store().sweep(Duration.ZERO, 10));
        client().expectAcquired(resumableRequest("key-1"));

        assertThat(client().counter().countUnsettled(10).inProgress()).isEqualTo(1);
    }

    @Test
    default void settledRecordIsNoLongerCounted() {
        client().expectWritten(complete(
                client().expectAcquired(resumableRequest("key-1")).claim(), "done"));
        client().expectAcquired(resumableRequest("key-2"));
        client().expectAcquired(heldRequest("key-3"));
        client().advanceTime(LEASE);
        client().store().sweep(Duration.ZERO, 10);

        assertThat(client().counter().countUnsettled(10))
                .isEqualTo(new UnsettledCounts(0, 0, 1, Optional.empty(), 0, Optional.empty(), false));
        client().resolve(client().attention().getFirst().claim(), new dev.refrain.store.Resolution.RunAgain());
        assertThat(client().counter().countUnsettled(10).attention()).isZero();
    }

    @Test
    default void expiredRecordsAreCountedUntilTheyAreReaped() {
        if (client().harness().deletesExpiredItself()) {
            return;
        }
        client().expectWritten(complete(
                client().expectAcquired(resumableRequest("key-1")).claim(), "done"));
        client().expectAcquired(heldRequest("key-2"));
        client().advanceTime(StoreTestData.RETENTION.plusMinutes(7));

        var census = client().counter().countUnsettled(10);
        assertThat(census.expired()).as("settled").isEqualTo(1);
        assertThat(census.reapDelay().orElseThrow())
                .isBetween(
                        Duration.ofMinutes(7).minus(SLACK),
                        Duration.ofMinutes(7).plus(SLACK));
        client().store().reap(10);
        assertThat(client().counter().countUnsettled(10).expired()).isZero();
        assertThat(client().counter().countUnsettled(10).reapDelay()).isEmpty();
    }

    @Test
    default void noMoreIsLookedAtThanIsAskedFor() {
        client().claimAll(batch(12, i -> resumableRequest("key-" + i)));

        var census = client().counter().countUnsettled(5);
        assertThat(census.inProgress()).isEqualTo(5);
        assertThat(census.more()).isTrue();
        assertThat(client().counter().countUnsettled(13).inProgress()).isEqualTo(12);
        assertThat(client().counter().countUnsettled(13).more()).isFalse();
    }

    @Test
    default void noMoreInAttentionAreLookedAtThanIsAskedFor() {
        for (int i = 0; i < 4; i++) {
            client().claimAndEscalate(heldRequest("key-" + i), "the connection broke");
        }

        assertThat(client().counter().countUnsettled(3).attention()).isEqualTo(3);
        assertThat(client().counter().countUnsettled(3).more()).isTrue();
    }
}
