package dev.refrain.store.contract;

import static dev.refrain.store.contract.Samples.LEASE;
import static dev.refrain.store.contract.Samples.RETENTION;
import static dev.refrain.store.contract.Samples.complete;
import static dev.refrain.store.contract.Samples.holding;
import static dev.refrain.store.contract.Samples.identity;
import static dev.refrain.store.contract.Samples.payload;
import static dev.refrain.store.contract.Samples.resuming;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.key.RecordId;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.State;
import dev.refrain.store.Write;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** At most one claim of a record can write. A write with another (id, fence) changes nothing and tells its caller. */
interface FenceContract extends Topic {

    @ParameterizedTest
    @EnumSource(WriteKind.class)
    default void theClaimThatHoldsTheRecordWrites(WriteKind kind) {
        var claim = probe().acquired(resuming("key-1")).claim();

        probe().written(kind.on(claim));

        var now = probe().seen("key-1");
        assertThat(now.state()).isEqualTo(kind.leadsTo());
        assertThat(now.claim()).isEqualTo(claim);
    }

    /** Elsewhere: complete, release and extend match on the key alone: a stalled runner completes another's claim. */
    @ParameterizedTest
    @EnumSource(WriteKind.class)
    default void aClaimThatWasTakenOverWritesNothing(WriteKind kind) {
        var stalled = probe().acquired(resuming("key-1")).claim();
        probe().letPass(LEASE);
        var current = probe().acquired(resuming("key-1"));

        var told = probe().refused(kind.on(stalled));

        Probe.same(told.orElseThrow(), current);
        probe().untouched(identity("key-1"), current);
        probe().written(complete(current.claim(), "by the second"));
    }

    @ParameterizedTest
    @EnumSource(WriteKind.class)
    default void aClaimThatWasReleasedAndClaimedAgainWritesNothing(WriteKind kind) {
        var former = probe().released(resuming("key-1")).claim();
        var current = probe().acquired(resuming("key-1"));

        var told = probe().refused(kind.on(former));

        Probe.same(told.orElseThrow(), current);
        probe().untouched(identity("key-1"), current);
    }

    @ParameterizedTest
    @EnumSource(WriteKind.class)
    default void aFenceThatWasNeverGivenOutWritesNothing(WriteKind kind) {
        var current = probe().acquired(resuming("key-1"));
        var invented = new ClaimRef(current.lookup(), current.id(), current.fence() + 1);

        probe().refused(kind.on(invented));

        probe().untouched(identity("key-1"), current);
    }

    /** The fence alone does not tell a record from the one that followed it: both begin at 1. */
    @ParameterizedTest
    @EnumSource(WriteKind.class)
    default void aRunnerOfAnExpiredRecordDoesNotWriteIntoTheOneThatFollowed(WriteKind kind) {
        var former = probe().released(resuming("key-1")).claim();
        probe().letPass(RETENTION);
        var fresh = probe().acquired(resuming("key-1"));
        assertThat(fresh.fence()).isEqualTo(former.fence());

        var told = probe().refused(kind.on(former));

        Probe.same(told.orElseThrow(), fresh);
        probe().untouched(identity("key-1"), fresh);
    }

    @ParameterizedTest
    @EnumSource(WriteKind.class)
    default void aWriteToAnAbsentRecordIsRefusedAndMakesNone(WriteKind kind) {
        var nowhere = new ClaimRef(identity("key-1").lookup(), new RecordId(UUID.randomUUID()), 1);

        assertThat(probe().refused(kind.on(nowhere))).isEmpty();

        probe().absent("key-1");
    }

    @ParameterizedTest
    @EnumSource(value = WriteKind.class, mode = Mode.EXCLUDE, names = "COMPLETE")
    default void nothingFollowsACompletion(WriteKind kind) {
        var completed = probe().completed(resuming("key-1"), "the outcome");

        var told = probe().refused(kind.on(completed.claim()));

        assertThat(told.orElseThrow().outcome()).contains(payload("the outcome"));
        probe().untouched(identity("key-1"), completed);
    }

    @ParameterizedTest
    @EnumSource(value = WriteKind.class, mode = Mode.EXCLUDE, names = "RELEASE")
    default void whoReleasedHasNothingMoreToSay(WriteKind kind) {
        var released = probe().released(resuming("key-1"));

        var told = probe().refused(kind.on(released.claim()));

        Probe.same(told.orElseThrow(), released);
        probe().untouched(identity("key-1"), released);
    }

    @ParameterizedTest
    @EnumSource(
            value = WriteKind.class,
            names = {"RELEASE", "CHECKPOINT", "RENEW"})
    default void inAttentionALateRunnerCanOnlyComplete(WriteKind kind) {
        var held = probe().escalated(holding("key-1"), "the connection broke");

        var told = probe().refused(kind.on(held.claim()));

        Probe.same(told.orElseThrow(), held);
        probe().untouched(identity("key-1"), held);
    }

    @Test
    default void aRunnerThatLostItsFenceIsGivenTheStoredOutcome() {
        var stalled = probe().acquired(resuming("key-1")).claim();
        probe().letPass(LEASE);
        probe().completed(resuming("key-1"), "by the second");

        var told = probe().refused(complete(stalled, "by the first")).orElseThrow();

        assertThat(told.state()).isEqualTo(State.COMPLETED);
        assertThat(told.outcome()).contains(payload("by the second"));
        assertThat(probe().seen("key-1").outcome()).contains(payload("by the second"));
    }

    @Test
    default void aCompletedOutcomeNeverChangesNotEvenForWhoWroteIt() {
        var completed = probe().completed(resuming("key-1"), "the outcome");

        var told = probe().refused(complete(completed.claim(), "on second thoughts"));

        assertThat(told.orElseThrow().outcome()).contains(payload("the outcome"));
        probe().untouched(identity("key-1"), completed);
    }

    @Test
    default void aLateCompletionAfterASweptReleaseIsRefused() {
        var stalled = probe().acquired(resuming("key-1")).claim();
        probe().letPass(LEASE);
        probe().store().sweep(Duration.ZERO, 10);

        probe().refused(complete(stalled, "too late"));

        assertThat(probe().seen("key-1").state()).isEqualTo(State.RELEASED);
        assertThat(probe().acquired(resuming("key-1")).fence()).isEqualTo(2);
    }

    @Test
    default void aRenewalDoesNotBringAReleasedClaimBack() {
        var released = probe().released(resuming("key-1"));

        probe().refused(new Write.Renew(released.claim(), LEASE));

        assertThat(probe().acquired(resuming("key-1")).fence()).isEqualTo(2);
    }
}
