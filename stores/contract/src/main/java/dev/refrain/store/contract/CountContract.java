package dev.refrain.store.contract;

import static dev.refrain.store.contract.Samples.RETENTION;
import static dev.refrain.store.contract.Samples.SCOPE;
import static dev.refrain.store.contract.Samples.batch;
import static dev.refrain.store.contract.Samples.resuming;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.ErasureOrder;
import org.junit.jupiter.api.Test;

/** How many records a scope has: enough for a quota, and never more work than the quota asks for. */
interface CountContract extends Topic {

    @Test
    default void recordsInEveryStateCount() {
        for (var situation : Situation.values()) {
            situation.bringAbout(probe(), situation.name());
        }

        assertThat(probe().store().count(SCOPE, 100)).isEqualTo(Situation.values().length);
        assertThat(probe().store().count("tenant-2", 100)).isZero();
    }

    @Test
    default void nothingIsCountedBeyondTheBound() {
        probe().store().claim(batch(12, i -> resuming("key-" + i)));

        assertThat(probe().store().count(SCOPE, 5)).isEqualTo(5);
        assertThat(probe().store().count(SCOPE, 12)).isEqualTo(12);
        assertThat(probe().store().count(SCOPE, 13)).isEqualTo(12);
    }

    @Test
    default void aKeyClaimedAgainCountsOnce() {
        probe().released(resuming("key-1"));
        probe().completed(resuming("key-1"), "done");

        assertThat(probe().store().count(SCOPE, 10)).isEqualTo(1);
    }

    @Test
    default void whatWasReapedOrErasedNoLongerCounts() {
        probe().completed(resuming("key-1"), "done");
        probe().letPass(RETENTION);
        probe().store().reap(10);
        assertThat(probe().store().count(SCOPE, 10)).isZero();

        probe().completed(resuming("key-2"), "done");
        probe().store().erase(new ErasureOrder(new ErasureOrder.OfScope(SCOPE), "ann", "asked for it", 10));
        assertThat(probe().store().count(SCOPE, 10)).isZero();
    }
}
