package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.LEASE;
import static dev.refrain.store.contract.StoreTestData.batch;
import static dev.refrain.store.contract.StoreTestData.heldRequest;
import static dev.refrain.store.contract.StoreTestData.identity;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.SweepResult;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No record is stuck: claims that ended and that nobody retries are settled all the same. */
interface SweepContractTests extends StoreContractPart {

    Duration GRACE = Duration.ofMinutes(5);

    @Test
    default void whatMayResumeIsReleasedAndWhatMustHoldGoesToAttention() {
        var resuming = client().expectAcquired(resumableRequest("key-1"));
        var holding = client().expectAcquired(heldRequest("key-2"));
        client().advanceTime(LEASE);

        var swept = client().store().sweep(Duration.ZERO, 10);

        assertThat(swept).isEqualTo(new SweepResult(1, 1, false));
        assertThat(client().expectPresent("key-1").state()).isEqualTo(RecordState.RELEASED);
        assertThat(client().expectPresent("key-1").claim()).isEqualTo(resuming.claim());
        assertThat(client().expectPresent("key-2").state()).isEqualTo(RecordState.ATTENTION);
        assertThat(client().expectPresent("key-2").claim()).isEqualTo(holding.claim());
        assertThat(client().attention()).singleElement().satisfies(item -> {
            assertThat(item.claim()).isEqualTo(holding.claim());
            assertThat(item.reason()).isNotBlank();
            assertThat(item.age()).isLessThan(StoreTestData.SLACK);
        });
        assertThat(client().expectAcquired(resumableRequest("key-1")).fence()).isEqualTo(2);
    }

    /** Elsewhere: recovery of a restarting replica re-runs what another replica is running. */
    @Test
    default void aClaimWhoseLeaseIsAliveIsLeftAlone() {
        var first = client().expectAcquired(resumableRequest("key-1"));
        var second = client().expectAcquired(heldRequest("key-2"));

        assertThat(client().store().sweep(Duration.ZERO, 10)).isEqualTo(new SweepResult(0, 0, false));

        client().expectUnchanged(identity("key-1"), first);
        client().expectUnchanged(identity("key-2"), second);
    }

    @Test
    default void aClaimThatWasRenewedIsLeftAlone() {
        var claim = client().expectAcquired(resumableRequest("key-1")).claim();
        client().advanceTime(LEASE);
        client().expectWritten(new RecordWrite.Renew(claim, LEASE));

        assertThat(client().store().sweep(Duration.ZERO, 10)).isEqualTo(new SweepResult(0, 0, false));
    }

    @Test
    default void theGraceIsWaitedOut() {
        client().expectAcquired(resumableRequest("key-1"));
        client().advanceTime(LEASE);

        assertThat(client().store().sweep(GRACE, 10)).isEqualTo(new SweepResult(0, 0, false));
        assertThat(client().expectPresent("key-1").state()).isEqualTo(RecordState.IN_PROGRESS);

        client().advanceTime(GRACE);
        assertThat(client().store().sweep(GRACE, 10)).isEqualTo(new SweepResult(1, 0, false));
    }

    @ParameterizedTest
    @EnumSource(
            value = SampleRecord.class,
            names = {"RELEASED", "COMPLETED", "ATTENTION"})
    default void whatIsSettledIsLeftAlone(SampleRecord settled) {
        var before = settled.create(client(), "key-1");
        client().advanceTime(LEASE);

        assertThat(client().store().sweep(Duration.ZERO, 10)).isEqualTo(new SweepResult(0, 0, false));

        assertThat(client().expectPresent("key-1").state()).isEqualTo(before.state());
        assertThat(client().expectPresent("key-1").claim()).isEqualTo(before.claim());
    }

    @Test
    default void aSweepIsBoundedAndSaysWhetherThereMayBeMore() {
        client().store().claim(batch(7, i -> i % 2 == 0 ? resumableRequest("key-" + i) : heldRequest("key-" + i)));
        client().advanceTime(LEASE);

        int released = 0;
        int held = 0;
        SweepResult swept;
        do {
            swept = client().store().sweep(Duration.ZERO, 3);
            assertThat(swept.released() + swept.toAttention()).isLessThanOrEqualTo(3);
            released += swept.released();
            held += swept.toAttention();
        } while (swept.more());

        assertThat(released).isEqualTo(4);
        assertThat(held).isEqualTo(3);
    }
}
