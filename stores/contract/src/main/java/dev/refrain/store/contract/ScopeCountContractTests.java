package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.RETENTION;
import static dev.refrain.store.contract.StoreTestData.SCOPE;
import static dev.refrain.store.contract.StoreTestData.batch;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.ErasureRequest;
import dev.refrain.store.RecordEraser;
import org.junit.jupiter.api.Test;

/** Tests of counting the records of a scope: exact up to the quota, and never more work than the quota needs. */
interface ScopeCountContractTests extends StoreContractPart {

    @Test
    default void recordsInEveryStateCount() {
        for (var situation : SampleRecord.values()) {
            situation.create(client(), situation.name());
        }

        assertThat(client().counter().countKeys(SCOPE, 100)).isEqualTo(SampleRecord.values().length);
        assertThat(client().counter().countKeys("tenant-2", 100)).isZero();
    }

    @Test
    default void nothingIsCountedBeyondTheBound() {
        client().claimAll(batch(12, i -> resumableRequest("key-" + i)));

        assertThat(client().counter().countKeys(SCOPE, 5)).isEqualTo(5);
        assertThat(client().counter().countKeys(SCOPE, 12)).isEqualTo(12);
        assertThat(client().counter().countKeys(SCOPE, 13)).isEqualTo(12);
    }

    @Test
    default void keyClaimedAgainCountsOnce() {
        client().claimAndRelease(resumableRequest("key-1"));
        client().claimAndComplete(resumableRequest("key-1"), "done");

        assertThat(client().counter().countKeys(SCOPE, 10)).isEqualTo(1);
    }

    @Test
    default void reapedOrErasedRecordNoLongerCounts() {
        client().claimAndComplete(resumableRequest("key-1"), "done");
        client().advanceTime(RETENTION);
        client().store().reap(10);
        client().expectCounted(0, 1);

        client().claimAndComplete(resumableRequest("key-2"), "done");
        client().whereAble(RecordEraser.class, eraser -> {
            eraser.erase(new ErasureRequest(new ErasureRequest.OfScope(SCOPE), "ann", "asked for it", 10));
            client().expectCounted(0, 0);
        });
    }
}
