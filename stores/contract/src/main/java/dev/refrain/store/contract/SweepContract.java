package dev.refrain.store.contract;

import static dev.refrain.store.contract.Samples.LEASE;
import static dev.refrain.store.contract.Samples.batch;
import static dev.refrain.store.contract.Samples.holding;
import static dev.refrain.store.contract.Samples.identity;
import static dev.refrain.store.contract.Samples.resuming;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.State;
import dev.refrain.store.Swept;
import dev.refrain.store.Write;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No record is stuck: claims that ended and that nobody retries are settled all the same. */
interface SweepContract extends Topic {

    Duration GRACE = Duration.ofMinutes(5);

    @Test
    default void whatMayResumeIsReleasedAndWhatMustHoldGoesToAttention() {
        var resuming = probe().acquired(resuming("key-1"));
        var holding = probe().acquired(holding("key-2"));
        probe().letPass(LEASE);

        var swept = probe().store().sweep(Duration.ZERO, 10);

        assertThat(swept).isEqualTo(new Swept(1, 1, false));
        assertThat(probe().seen("key-1").state()).isEqualTo(State.RELEASED);
        assertThat(probe().seen("key-1").claim()).isEqualTo(resuming.claim());
        assertThat(probe().seen("key-2").state()).isEqualTo(State.ATTENTION);
        assertThat(probe().seen("key-2").claim()).isEqualTo(holding.claim());
        assertThat(probe().attention()).singleElement().satisfies(item -> {
            assertThat(item.claim()).isEqualTo(holding.claim());
            assertThat(item.reason()).isNotBlank();
            assertThat(item.age()).isLessThan(Samples.SLACK);
        });
        assertThat(probe().acquired(resuming("key-1")).fence()).isEqualTo(2);
    }

    /** Elsewhere: recovery of a restarting replica re-runs what another replica is running. */
    @Test
    default void aClaimWhoseLeaseIsAliveIsLeftAlone() {
        var first = probe().acquired(resuming("key-1"));
        var second = probe().acquired(holding("key-2"));

        assertThat(probe().store().sweep(Duration.ZERO, 10)).isEqualTo(new Swept(0, 0, false));

        probe().untouched(identity("key-1"), first);
        probe().untouched(identity("key-2"), second);
    }

    @Test
    default void aClaimThatWasRenewedIsLeftAlone() {
        var claim = probe().acquired(resuming("key-1")).claim();
        probe().letPass(LEASE);
        probe().written(new Write.Renew(claim, LEASE));

        assertThat(probe().store().sweep(Duration.ZERO, 10)).isEqualTo(new Swept(0, 0, false));
    }

    @Test
    default void theGraceIsWaitedOut() {
        probe().acquired(resuming("key-1"));
        probe().letPass(LEASE);

        assertThat(probe().store().sweep(GRACE, 10)).isEqualTo(new Swept(0, 0, false));
        assertThat(probe().seen("key-1").state()).isEqualTo(State.IN_PROGRESS);

        probe().letPass(GRACE);
        assertThat(probe().store().sweep(GRACE, 10)).isEqualTo(new Swept(1, 0, false));
    }

    @ParameterizedTest
    @EnumSource(
            value = Situation.class,
            names = {"RELEASED", "COMPLETED", "ATTENTION"})
    default void whatIsSettledIsLeftAlone(Situation settled) {
        var before = settled.bringAbout(probe(), "key-1");
        probe().letPass(LEASE);

        assertThat(probe().store().sweep(Duration.ZERO, 10)).isEqualTo(new Swept(0, 0, false));

        assertThat(probe().seen("key-1").state()).isEqualTo(before.state());
        assertThat(probe().seen("key-1").claim()).isEqualTo(before.claim());
    }

    @Test
    default void aSweepIsBoundedAndSaysWhetherThereMayBeMore() {
        probe().store().claim(batch(7, i -> i % 2 == 0 ? resuming("key-" + i) : holding("key-" + i)));
        probe().letPass(LEASE);

        int released = 0;
        int held = 0;
        Swept swept;
        do {
            swept = probe().store().sweep(Duration.ZERO, 3);
            assertThat(swept.released() + swept.toAttention()).isLessThanOrEqualTo(3);
            released += swept.released();
            held += swept.toAttention();
        } while (swept.more());

        assertThat(released).isEqualTo(4);
        assertThat(held).isEqualTo(3);
    }
}
