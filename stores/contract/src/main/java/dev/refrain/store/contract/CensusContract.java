package dev.refrain.store.contract;

import static dev.refrain.store.contract.Samples.LEASE;
import static dev.refrain.store.contract.Samples.SLACK;
import static dev.refrain.store.contract.Samples.batch;
import static dev.refrain.store.contract.Samples.complete;
import static dev.refrain.store.contract.Samples.holding;
import static dev.refrain.store.contract.Samples.resuming;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.Census;
import dev.refrain.store.Write;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How many are not settled, and how old the oldest is: counted without looking at what is. */
interface CensusContract extends Topic {

    @Test
    default void whereNothingIsNothingIsCounted() {
        assertThat(probe().store().census(10)).isEqualTo(new Census(0, 0, 0, Optional.empty(), false));
    }

    @Test
    default void everyStateIsCountedForWhatItIs() {
        for (var situation : Situation.values()) {
            situation.bringAbout(probe(), situation.name());
        }

        var census = probe().store().census(100);
        assertThat(census.inProgress())
                .as("running, and two whose lease is over")
                .isEqualTo(3);
        assertThat(census.leaseOver()).isEqualTo(2);
        assertThat(census.attention()).isEqualTo(1);
        assertThat(census.more()).isFalse();
    }

    @Test
    default void theOldestIsAsOldAsItsFirstClaim() {
        var first = probe().released(resuming("key-1"));
        probe().letPass(Duration.ofMinutes(7));
        assertThat(probe().store().census(10).oldest()).as("released").isEmpty();
        probe().acquired(resuming("key-2"));
        assertThat(probe().store().census(10).oldest().orElseThrow()).isBetween(Duration.ZERO, SLACK);

        var again = probe().acquired(resuming("key-1"));
        assertThat(again.id()).isEqualTo(first.id());
        assertThat(probe().store().census(10).oldest().orElseThrow())
                .isBetween(Duration.ofMinutes(7), Duration.ofMinutes(7).plus(SLACK));
    }

    /** A slow one that renews its lease is the one to look at; its lease is younger than it is. */
    @Test
    default void whoRenewsGrowsOlderAllTheSame() {
        var slow = probe().acquired(resuming("key-1")).claim();
        for (int i = 0; i < 4; i++) {
            probe().letPass(LEASE.dividedBy(2));
            probe().written(new Write.Renew(slow, LEASE));
        }

        var census = probe().store().census(10);
        assertThat(census.leaseOver()).isZero();
        assertThat(census.oldest().orElseThrow())
                .isBetween(LEASE.multipliedBy(2), LEASE.multipliedBy(2).plus(SLACK));
    }

    @Test
    default void whatIsSettledIsNoLongerCounted() {
        probe().written(complete(probe().acquired(resuming("key-1")).claim(), "done"));
        probe().acquired(resuming("key-2"));
        probe().acquired(holding("key-3"));
        probe().letPass(LEASE);
        probe().store().sweep(Duration.ZERO, 10);

        assertThat(probe().store().census(10)).isEqualTo(new Census(0, 0, 1, Optional.empty(), false));
        probe().resolved(probe().attention().getFirst().claim(), new dev.refrain.store.Resolution.RunAgain());
        assertThat(probe().store().census(10).attention()).isZero();
    }

    @Test
    default void noMoreIsLookedAtThanIsAskedFor() {
        probe().store().claim(batch(12, i -> resuming("key-" + i)));

        var census = probe().store().census(5);
        assertThat(census.inProgress()).isEqualTo(5);
        assertThat(census.more()).isTrue();
        assertThat(probe().store().census(13).inProgress()).isEqualTo(12);
        assertThat(probe().store().census(13).more()).isFalse();
    }

    @Test
    default void noMoreInAttentionAreLookedAtThanIsAskedFor() {
        for (int i = 0; i < 4; i++) {
            probe().escalated(holding("key-" + i), "the connection broke");
        }

        assertThat(probe().store().census(3).attention()).isEqualTo(3);
        assertThat(probe().store().census(3).more()).isTrue();
    }
}
