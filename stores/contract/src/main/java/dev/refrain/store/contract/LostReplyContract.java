package dev.refrain.store.contract;

import static dev.refrain.store.contract.Samples.LEASE;
import static dev.refrain.store.contract.Samples.RETENTION;
import static dev.refrain.store.contract.Samples.complete;
import static dev.refrain.store.contract.Samples.holding;
import static dev.refrain.store.contract.Samples.identity;
import static dev.refrain.store.contract.Samples.payload;
import static dev.refrain.store.contract.Samples.resuming;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.Resolution;
import dev.refrain.store.State;
import dev.refrain.store.Write;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whoever lost a reply asks again, and is answered as the first time. */
interface LostReplyContract extends Topic {

    @ParameterizedTest
    @EnumSource(
            value = Situation.class,
            names = {"LEASE_OVER_RESUME", "RELEASED"})
    default void aClaimAskedAgainUnderTheSameNonceFindsItself(Situation claimable) {
        claimable.bringAbout(probe(), "key-1");
        var request = resuming("key-1");

        var first = probe().acquired(request);
        var again = probe().acquired(request);

        Probe.same(again, first);
        probe().untouched(identity("key-1"), first);
    }

    @Test
    default void aFirstClaimAskedAgainUnderTheSameNonceFindsItself() {
        var request = holding("key-1");
        var first = probe().acquired(request);

        Probe.same(probe().acquired(request), first);
    }

    @Test
    default void aClaimAskedAgainDoesNotProlongItsLease() {
        var request = resuming("key-1");
        probe().acquired(request);
        probe().letPass(LEASE.dividedBy(2));

        assertThat(probe().acquired(request).leaseLeft()).isLessThanOrEqualTo(LEASE.dividedBy(2));

        assertThat(probe().seen("key-1").leaseLeft()).isLessThanOrEqualTo(LEASE.dividedBy(2));
    }

    @Test
    default void aClaimAskedAgainAfterATakeoverIsNoLongerItsOwn() {
        var lost = resuming("key-1");
        probe().acquired(lost);
        probe().letPass(LEASE);
        var current = probe().acquired(resuming("key-1"));

        Probe.same(probe().found(lost), current);
    }

    /** A duplicate that was held up on its way would otherwise make a claim that nobody runs. */
    @Test
    default void aNonceNeverClaimsASecondTime() {
        var request = resuming("key-1");
        var released = probe().released(request);
        Probe.same(probe().found(request), released);

        var late = resuming("key-2");
        var first = probe().acquired(late);
        probe().letPass(LEASE);
        assertThat(probe().found(late).claim()).isEqualTo(first.claim());

        assertThat(probe().acquired(resuming("key-2")).fence()).isEqualTo(2);
        probe().refused(complete(first.claim(), "under the old fence"));
    }

    @Test
    default void aClaimThatMustHoldAndWhoseReplyWasLostIsInAttentionToTheNextOne() {
        var request = holding("key-1");
        probe().acquired(request);
        probe().letPass(LEASE);

        assertThat(probe().found(request).state()).isEqualTo(State.IN_PROGRESS);
        assertThat(probe().found(holding("key-1")).state()).isEqualTo(State.ATTENTION);
    }

    @Test
    default void aClaimAskedAgainAfterItsCompletionIsToldTheOutcome() {
        var request = resuming("key-1");
        probe().completed(request, "the outcome");

        assertThat(probe().found(request).outcome()).contains(payload("the outcome"));
    }

    @ParameterizedTest
    @EnumSource(WriteKind.class)
    default void aWriteSentAgainIsWrittenAndChangesNothingMore(WriteKind kind) {
        var claim = probe().acquired(resuming("key-1")).claim();
        probe().written(kind.on(claim));
        var after = probe().seen("key-1");

        probe().written(kind.on(claim));
        probe().written(kind.on(claim));

        var again = probe().seen("key-1");
        assertThat(again.state()).isEqualTo(after.state());
        assertThat(again.claim()).isEqualTo(after.claim());
        assertThat(again.recoveryPoint()).isEqualTo(after.recoveryPoint());
        assertThat(again.outcome()).isEqualTo(after.outcome());
        assertThat(again.carried()).isEqualTo(after.carried());
    }

    @Test
    default void aCompletionOfTheStateAloneSentAgainIsWritten() {
        var complete =
                new Write.Complete(probe().acquired(resuming("key-1")).claim(), Optional.empty(), Optional.empty());

        probe().written(complete);
        probe().written(complete);
    }

    @Test
    default void aCompletionSentAgainDoesNotProlongTheLifeOfItsOutcome() {
        var claim = probe().acquired(resuming("key-1")).claim();
        probe().letPass(RETENTION);
        probe().written(complete(claim, "the outcome"));
        probe().letPass(Duration.ofMinutes(50));

        probe().written(complete(claim, "the outcome"));

        probe().letPass(Duration.ofMinutes(10));
        probe().absent("key-1");
    }

    @Test
    default void aReleaseSentAgainDoesNotFreeTheNextClaim() {
        var release = new Write.Release(probe().acquired(resuming("key-1")).claim());
        probe().written(release);
        var next = probe().acquired(resuming("key-1"));

        probe().refused(release);

        probe().untouched(identity("key-1"), next);
    }

    @Test
    default void anEscalationSentAgainKeepsItsFirstReasonAndTime() {
        var claim = probe().acquired(holding("key-1")).claim();
        probe().written(new Write.Escalate(claim, "the first"));
        probe().letPass(LEASE);

        probe().written(new Write.Escalate(claim, "the second"));

        assertThat(probe().attention()).singleElement().satisfies(item -> {
            assertThat(item.reason()).isEqualTo("the first");
            assertThat(item.age()).isGreaterThanOrEqualTo(LEASE);
        });
    }

    @Test
    default void anEscalationSentAgainAfterALateCompletionIsRefused() {
        var escalate = new Write.Escalate(probe().acquired(holding("key-1")).claim(), "the connection broke");
        probe().written(escalate);
        probe().written(complete(escalate.claim(), "it went through"));

        assertThat(probe().refused(escalate).orElseThrow().outcome()).contains(payload("it went through"));
    }

    @Test
    default void aResolutionSentAgainIsRefusedAndAuditedOnce() {
        var held = probe().escalated(holding("key-1"), "the connection broke");
        var done = new Resolution.Done(Optional.of(payload("found at the bank")));
        probe().resolved(held.claim(), done);

        var told = Probe.refused(probe().store().resolve(new Resolution(held.claim(), done, "ann", "again")));

        assertThat(told.orElseThrow().state()).isEqualTo(State.COMPLETED);
        assertThat(told.orElseThrow().fence()).isEqualTo(2);
        assertThat(probe().store().audit(10)).hasSize(1);
    }
}
