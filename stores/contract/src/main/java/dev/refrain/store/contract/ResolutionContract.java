package dev.refrain.store.contract;

import static dev.refrain.store.contract.Samples.LEASE;
import static dev.refrain.store.contract.Samples.complete;
import static dev.refrain.store.contract.Samples.holding;
import static dev.refrain.store.contract.Samples.identity;
import static dev.refrain.store.contract.Samples.payload;
import static dev.refrain.store.contract.Samples.resuming;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.key.RecordId;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.Resolution;
import dev.refrain.store.State;
import dev.refrain.store.WriteAnswer;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** A person, a rule or the reconciler settles what was in attention: fence + 1, audited, and only what they looked at. */
interface ResolutionContract extends Topic {

    private WriteAnswer resolve(ClaimRef claim) {
        return probe().store().resolve(new Resolution(claim, new Resolution.RunAgain(), "ann", "asked the bank"));
    }

    @Test
    default void whatTookEffectIsCompletedWithItsOutcomeUnderTheNextFence() {
        var held = probe().escalated(holding("key-1"), "the connection broke");

        probe().resolved(held.claim(), new Resolution.Done(Optional.of(payload("found at the bank"))));

        var completed = probe().found(holding("key-1"));
        assertThat(completed.state()).isEqualTo(State.COMPLETED);
        assertThat(completed.outcome()).contains(payload("found at the bank"));
        assertThat(completed.id()).isEqualTo(held.id());
        assertThat(completed.fence()).isEqualTo(held.fence() + 1);
        assertThat(probe().attention()).isEmpty();
    }

    @Test
    default void whatTookEffectMayBeCompletedWithItsStateAlone() {
        var held = probe().escalated(holding("key-1"), "the connection broke");

        probe().resolved(held.claim(), new Resolution.Done(Optional.empty()));

        assertThat(probe().found(holding("key-1")).state()).isEqualTo(State.COMPLETED);
        assertThat(probe().found(holding("key-1")).outcome()).isEmpty();
    }

    @Test
    default void whatMayRunAgainIsReleasedUnderTheNextFenceAndKeepsItsId() {
        var held = probe().escalated(holding("key-1"), "the connection broke");

        probe().resolved(held.claim(), new Resolution.RunAgain());

        var released = probe().seen("key-1");
        assertThat(released.state()).isEqualTo(State.RELEASED);
        assertThat(released.fence()).isEqualTo(2);
        assertThat(probe().attention()).isEmpty();
        var again = probe().acquired(holding("key-1"));
        assertThat(again.id()).isEqualTo(held.id());
        assertThat(again.fence()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(WriteKind.class)
    default void aLateRunnerWritesNothingAfterAResolution(WriteKind kind) {
        var late = probe().escalated(holding("key-1"), "the connection broke").claim();
        probe().resolved(late, new Resolution.Done(Optional.of(payload("found at the bank"))));
        var settled = probe().seen("key-1");

        var told = probe().refused(kind.on(late));

        assertThat(told.orElseThrow().outcome()).contains(payload("found at the bank"));
        probe().untouched(identity("key-1"), settled);
    }

    @ParameterizedTest
    @EnumSource(WriteKind.class)
    default void aLateRunnerWritesNothingAfterItWasDecidedToRunAgain(WriteKind kind) {
        var late = probe().escalated(holding("key-1"), "the connection broke").claim();
        probe().resolved(late, new Resolution.RunAgain());
        var settled = probe().seen("key-1");

        probe().refused(kind.on(late));

        probe().untouched(identity("key-1"), settled);
    }

    @ParameterizedTest
    @EnumSource(value = Situation.class, mode = Mode.EXCLUDE, names = "ATTENTION")
    default void onlyWhatIsInAttentionIsResolved(Situation situation) {
        var before = situation.bringAbout(probe(), "key-1");

        var told = Probe.refused(resolve(before.claim()));

        Probe.same(told.orElseThrow(), before);
        probe().untouched(identity("key-1"), before);
        assertThat(probe().store().audit(10)).isEmpty();
    }

    @Test
    default void aRecordThatMovedOnSinceItWasLookedAtIsNotResolved() {
        var looked = probe().escalated(holding("key-1"), "the connection broke");
        probe().resolved(looked.claim(), new Resolution.RunAgain());
        var now = probe().escalated(holding("key-1"), "it broke again");

        var told = Probe.refused(resolve(looked.claim()));

        Probe.same(told.orElseThrow(), now);
        probe().untouched(identity("key-1"), now);
        assertThat(probe().store().audit(10)).hasSize(1);
    }

    @Test
    default void aRecordUnderAnotherIdIsNotResolved() {
        var held = probe().escalated(holding("key-1"), "the connection broke");

        Probe.refused(resolve(new ClaimRef(held.lookup(), new RecordId(UUID.randomUUID()), held.fence())));

        probe().untouched(identity("key-1"), held);
    }

    @Test
    default void anAbsentRecordIsNotResolved() {
        var nowhere = new ClaimRef(identity("key-1").lookup(), new RecordId(UUID.randomUUID()), 1);

        assertThat(Probe.refused(resolve(nowhere))).isEmpty();

        probe().absent("key-1");
        assertThat(probe().store().audit(10)).isEmpty();
    }

    @Test
    default void whatItsOwnLateRunnerCompletedIsNotResolved() {
        var held = probe().escalated(holding("key-1"), "the connection broke");
        probe().written(complete(held.claim(), "it went through"));

        var told = Probe.refused(resolve(held.claim()));

        assertThat(told.orElseThrow().outcome()).contains(payload("it went through"));
        assertThat(probe().found(resuming("key-1")).state()).isEqualTo(State.COMPLETED);
    }

    @Test
    default void everyResolutionIsAuditedNewestFirstWithWhoAndWhy() {
        var first = probe().escalated(holding("key-1"), "the connection broke");
        var second = probe().escalated(holding("key-2"), "the connection broke");
        var store = probe().store();

        store.resolve(new Resolution(first.claim(), new Resolution.RunAgain(), "ann", "not at the bank"));
        probe().letPass(LEASE);
        store.resolve(new Resolution(second.claim(), new Resolution.Done(Optional.empty()), "bob", "at the bank"));

        assertThat(store.audit(10)).extracting(AuditEntry::who).containsExactly("bob", "ann");
        assertThat(store.audit(10)).extracting(AuditEntry::why).containsExactly("at the bank", "not at the bank");
        assertThat(store.audit(10)).extracting(AuditEntry::action).doesNotHaveDuplicates();
        assertThat(store.audit(10).getFirst().target()).contains(second.id().toString());
        assertThat(store.audit(10).getLast().target()).contains(first.id().toString());
        assertThat(store.audit(1)).extracting(AuditEntry::who).containsExactly("bob");
    }
}
