package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.LEASE;
import static dev.refrain.store.contract.StoreTestData.batch;
import static dev.refrain.store.contract.StoreTestData.heldRequest;
import static dev.refrain.store.contract.StoreTestData.identity;
import static dev.refrain.store.contract.StoreTestData.payload;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static dev.refrain.store.contract.StoreTestData.retryOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.refrain.api.RecoveryPoint;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.ClaimOrigin;
import dev.refrain.store.EscalatedRecord;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.SweepResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of sweeping: no record stays stuck; expired claims that nobody retries are settled. */
interface SweepContractTests extends StoreContractPart {

    Duration GRACE = Duration.ofMinutes(5);
    Duration A_DAY = Duration.ofDays(1);

    @Test
    default void resumableClaimIsReleasedAndAHeldOneGoesToAttention() {
        var resuming = client().expectAcquired(resumableRequest("key-1"));
        var holding = client().expectAcquired(heldRequest("key-2"));
        client().advanceTime(LEASE);

        var swept = client().store().sweep(Duration.ZERO, 10);

        assertThat(swept)
                .usingRecursiveComparison()
                .ignoringFields("escalated")
                .isEqualTo(new SweepResult(1, 1, false));
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

    /** Swept, or found by a retry: a flow says at which point it stands, a leased operation which calls it may have sent. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    default void reasonOfAnEndedLeaseSaysWhereItStoodAndHowAnEarlierAttemptEnded(boolean swept) {
        var calling = heldRequest("calling").withOrigin(ClaimOrigin.of("pay").withSteps(List.of("charge", "mail")));
        var flow = heldRequest("flow").withStoredRequest(payload("request"));
        var begun = heldRequest("begun").withStoredRequest(payload("request"));
        var plain = heldRequest("plain");
        var claim = client().expectAcquired(flow).claim();
        client().expectWritten(new RecordWrite.Release(claim, Duration.ZERO, "threw java.io.IOException"));
        client().expectWritten(new RecordWrite.Checkpoint(
                client().expectAcquired(retryOf(flow)).claim(),
                RecoveryPoint.withCallAnnounced("charge"),
                Optional.empty(),
                Optional.empty()));
        for (var other : List.of(calling, begun, plain)) {
            client().expectAcquired(other);
        }
        client().advanceTime(LEASE);

        if (swept) {
            client().store().sweep(Duration.ZERO, 10);
        } else {
            client().claimAll(StoreTestData.sorted(Stream.of(calling, flow, begun, plain)
                    .map(StoreTestData::retryOf)
                    .toList()));
        }

        var reasons = client().attention().stream()
                .collect(Collectors.toMap(item -> item.identity().key(), AttentionItem::reason));
        String ended = "Its lease ended and nobody completed it.";
        assertThat(reasons)
                .containsOnly(
                        entry("calling", ended + " It may have sent the calls of its steps: charge, mail."),
                        entry(
                                "flow",
                                ended + " It stands at point charge, whose call was announced and may have been sent."
                                        + " An earlier attempt ended: released: threw java.io.IOException."),
                        entry("begun", ended + " It stands at its beginning."),
                        entry("plain", ended));
    }

    /** Elsewhere: recovery of a restarting replica re-runs work that another replica is running. */
    @Test
    default void claimWhoseLeaseIsAliveIsLeftAlone() {
        var first = client().expectAcquired(resumableRequest("key-1"));
        var second = client().expectAcquired(heldRequest("key-2"));

        assertThat(client().store().sweep(Duration.ZERO, 10)).isEqualTo(new SweepResult(0, 0, false));

        client().expectUnchanged(identity("key-1"), first);
        client().expectUnchanged(identity("key-2"), second);
    }

    @Test
    default void claimThatWasRenewedIsLeftAlone() {
        var claim = client().expectAcquired(resumableRequest("key-1")).claim();
        client().advanceTime(LEASE);
        client().expectWritten(new RecordWrite.Renew(claim, LEASE));

        assertThat(client().store().sweep(Duration.ZERO, 10)).isEqualTo(new SweepResult(0, 0, false));
    }

    @Test
    default void graceIsWaitedOut() {
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
    default void settledRecordIsLeftAlone(SampleRecord settled) {
        var before = settled.create(client(), "key-1");
        client().advanceTime(LEASE);

        assertThat(client().store().sweep(Duration.ZERO, 10)).isEqualTo(new SweepResult(0, 0, false));

        assertThat(client().expectPresent("key-1").state()).isEqualTo(before.state());
        assertThat(client().expectPresent("key-1").claim()).isEqualTo(before.claim());
    }

    @Test
    default void sweepIsBoundedAndSaysWhetherThereMayBeMore() {
        client().claimAll(batch(7, i -> i % 2 == 0 ? resumableRequest("key-" + i) : heldRequest("key-" + i)));
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

    /** Nobody else learns of them: each is logged. */
    @Test
    default void sweepListsWhatItMovesToAttention() {
        var named = client().expectAcquired(heldRequest("key-1").withOrigin(ClaimOrigin.of("POST /payments")));
        var unnamed = client().expectAcquired(heldRequest("key-2"));
        client().expectAcquired(resumableRequest("key-3"));
        client().advanceTime(LEASE);

        assertThat(client().store().sweep(Duration.ZERO, 10).escalated())
                .containsExactlyInAnyOrder(
                        new EscalatedRecord(Optional.of("POST /payments"), identity("key-1"), named.id()),
                        new EscalatedRecord(Optional.empty(), identity("key-2"), unnamed.id()));
    }

    @Test
    default void sweepListsNoMoreThanALogCanTake() {
        int many = SweepResult.MAX_LISTED + 1;
        for (int i = 0; i < many; i++) {
            client().expectAcquired(heldRequest("key-" + i));
        }
        client().advanceTime(LEASE);

        var swept = client().store().sweep(Duration.ZERO, 100);

        assertThat(swept.toAttention()).isEqualTo(many);
        assertThat(swept.escalated()).hasSize(SweepResult.MAX_LISTED);
    }

    /** A store that remembers how far it has swept must not trust what it noted while its clock was ahead. */
    @Test
    default void claimAbandonedAfterAClockWasAheadIsFound() {
        client().letClockBeAhead(A_DAY, this::sweepInVain);

        client().expectAcquired(resumableRequest("key-1"));
        client().advanceTime(LEASE);

        assertThat(client().store().sweep(Duration.ZERO, 10)).isEqualTo(new SweepResult(1, 0, false));
    }

    @Test
    default void claimAbandonedAfterAClockWasAheadIsFoundOnceThatMomentIsPastToo() {
        client().letClockBeAhead(A_DAY, this::sweepInVain);

        client().expectAcquired(resumableRequest("key-1"));
        client().advanceTime(A_DAY.plus(LEASE));

        assertThat(client().store().sweep(Duration.ZERO, 10)).isEqualTo(new SweepResult(1, 0, false));
    }

    private void sweepInVain() {
        assertThat(client().store().sweep(Duration.ZERO, 10)).isEqualTo(new SweepResult(0, 0, false));
    }
}
