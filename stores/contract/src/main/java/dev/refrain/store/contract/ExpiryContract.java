package dev.refrain.store.contract;

import static dev.refrain.store.contract.Samples.LEASE;
import static dev.refrain.store.contract.Samples.RETENTION;
import static dev.refrain.store.contract.Samples.complete;
import static dev.refrain.store.contract.Samples.holding;
import static dev.refrain.store.contract.Samples.keptFor;
import static dev.refrain.store.contract.Samples.payload;
import static dev.refrain.store.contract.Samples.resuming;
import static dev.refrain.store.contract.Samples.unlike;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.key.RecordId;
import dev.refrain.outcome.Retention;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.Resolution;
import dev.refrain.store.State;
import dev.refrain.store.Write;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** For how long a record is kept, and that only what is settled ever expires. */
interface ExpiryContract extends Topic {

    Duration YEARS = Duration.ofDays(3_650);
    Duration MOST_OF_AN_HOUR = Duration.ofMinutes(50);
    Duration REST_OF_AN_HOUR = Duration.ofMinutes(10);

    /** Elsewhere: 409 for ever, also after the response itself expired. */
    @ParameterizedTest
    @EnumSource(
            value = Situation.class,
            names = {"COMPLETED", "RELEASED"})
    default void afterItsRetentionTheSameKeyIsANewRequestWithANewId(Situation settled) {
        var former = settled.bringAbout(probe(), "key-1");
        probe().letPass(RETENTION);
        probe().absent("key-1");
        var request = unlike(resuming("key-1")).storing(Optional.of(payload("new")));

        var fresh = probe().acquired(request);

        assertThat(fresh.id()).isEqualTo(new RecordId(request.nonce())).isNotEqualTo(former.id());
        assertThat(fresh.fence()).isEqualTo(1);
        assertThat(fresh.fingerprint()).contains(request.fingerprint());
        assertThat(fresh.outcome()).isEmpty();
        assertThat(fresh.recoveryPoint()).isEmpty();
        assertThat(fresh.request()).contains(payload("new"));
        assertThat(fresh.lifeLeft().orElseThrow()).isGreaterThan(RETENTION.minus(Samples.SLACK));
        probe().untouched(request.identity(), fresh);
    }

    @Test
    default void untilItsRetentionEndsAnOutcomeIsReplayed() {
        probe().completed(resuming("key-1"), "the outcome");
        probe().letPass(RETENTION.minus(Duration.ofMinutes(5)));

        assertThat(probe().found(resuming("key-1")).outcome()).contains(payload("the outcome"));
    }

    @Test
    default void whatRunsDoesNotExpire() {
        var running = probe().acquired(resuming("key-1"));
        probe().letPass(YEARS);

        assertThat(probe().seen("key-1").claim()).isEqualTo(running.claim());
        var taken = probe().acquired(resuming("key-1"));
        assertThat(taken.id()).isEqualTo(running.id());
        assertThat(taken.fence()).isEqualTo(2);
    }

    @Test
    default void whatMustHoldGoesToAttentionEvenAfterItsRetention() {
        var dead = probe().acquired(holding("key-1"));
        probe().letPass(RETENTION.multipliedBy(2));

        var found = probe().found(holding("key-1"));

        assertThat(found.state()).isEqualTo(State.ATTENTION);
        assertThat(found.claim()).isEqualTo(dead.claim());
    }

    @Test
    default void whatIsInAttentionDoesNotExpire() {
        var held = probe().escalated(holding("key-1"), "the connection broke");
        probe().letPass(YEARS);

        assertThat(probe().found(holding("key-1")).claim()).isEqualTo(held.claim());
        assertThat(probe().attention()).hasSize(1);
    }

    /** Elsewhere: after three days the order stands and nobody knows that it was not paid. */
    @Test
    default void whatIsHalfDoneDoesNotExpire() {
        var left = probe().halfDone(resuming("key-1"));
        probe().letPass(YEARS);

        assertThat(probe().seen("key-1").claim()).isEqualTo(left.claim());
        assertThat(probe().found(unlike(resuming("key-1"))).claim()).isEqualTo(left.claim());
        var again = probe().acquired(resuming("key-1"));
        assertThat(again.id()).isEqualTo(left.id());
        assertThat(again.recoveryPoint()).isEqualTo(left.recoveryPoint());
    }

    @Test
    default void whatMayRunAgainIsKeptForAnHourEvenPastItsRetention() {
        var held = probe().escalated(holding("key-1"), "the connection broke");
        probe().letPass(RETENTION.multipliedBy(2));

        probe().resolved(held.claim(), new Resolution.RunAgain());

        probe().letPass(MOST_OF_AN_HOUR);
        assertThat(probe().seen("key-1").state()).isEqualTo(State.RELEASED);
        assertThat(probe().acquired(holding("key-1")).id()).isEqualTo(held.id());
    }

    @Test
    default void anOutcomeIsKeptForAnHourAfterCompletionEvenPastItsRetention() {
        var claim = probe().acquired(resuming("key-1")).claim();
        probe().letPass(RETENTION.multipliedBy(2));

        probe().written(complete(claim, "late, and done"));

        keepsForAnHour();
    }

    @Test
    default void anOutcomeIsKeptForAnHourHoweverShortTheRetention() {
        probe().completed(keptFor(Retention.of(Duration.ofSeconds(1)), "key-1"), "the outcome");

        keepsForAnHour();
    }

    @Test
    default void aResolvedOutcomeIsKeptForAnHourEvenPastItsRetention() {
        var held = probe().escalated(holding("key-1"), "the connection broke");
        probe().letPass(RETENTION.multipliedBy(2));

        probe().resolved(held.claim(), new Resolution.Done(Optional.of(payload("found at the bank"))));

        keepsForAnHour();
    }

    private void keepsForAnHour() {
        probe().letPass(MOST_OF_AN_HOUR);
        assertThat(probe().found(resuming("key-1")).state()).isEqualTo(State.COMPLETED);
        probe().letPass(REST_OF_AN_HOUR);
        probe().absent("key-1");
    }

    @Test
    default void retentionCountsFromTheFirstClaimNotFromTheLastNorFromCompletion() {
        probe().released(resuming("key-1"));
        probe().letPass(RETENTION.dividedBy(2));
        probe().completed(resuming("key-1"), "the outcome");

        assertThat(probe().seen("key-1").lifeLeft().orElseThrow()).isLessThanOrEqualTo(RETENTION.dividedBy(2));
        probe().letPass(RETENTION.dividedBy(2));
        probe().absent("key-1");
    }

    @Test
    default void aCompletionMayKeepItsOutcomeLongerCountedFromTheFirstClaim() {
        completedInstead(Retention.of(RETENTION), Retention.of(RETENTION.multipliedBy(3)));

        probe().letPass(RETENTION.multipliedBy(2));
        probe().seen("key-1");
        probe().letPass(RETENTION);
        probe().absent("key-1");
    }

    @Test
    default void aCompletionMayKeepItsOutcomeLessLongButForAnHour() {
        completedInstead(Retention.of(RETENTION), Retention.of(Duration.ofMinutes(1)));

        keepsForAnHour();
    }

    @Test
    default void aCompletionMayKeepItsOutcomeForEver() {
        completedInstead(Retention.of(RETENTION), Retention.FOR_EVER);

        assertThat(probe().seen("key-1").lifeLeft()).isEmpty();
        probe().letPass(YEARS);
        probe().seen("key-1");
    }

    @Test
    default void aCompletionMayEndWhatWasToBeKeptForEver() {
        completedInstead(Retention.FOR_EVER, Retention.of(RETENTION));

        probe().letPass(RETENTION);
        probe().absent("key-1");
    }

    private void completedInstead(Retention claimed, Retention completed) {
        var claim = probe().acquired(keptFor(claimed, "key-1")).claim();
        probe().letPass(LEASE);
        probe().written(new Write.Complete(claim, Optional.of(payload("the outcome")), Optional.of(completed)));
    }

    @Test
    default void aResolvedOutcomeMayBeKeptForEver() {
        var held = probe().escalated(holding("key-1"), "the connection broke");
        probe().letPass(RETENTION.multipliedBy(2));

        resolved(held.claim(), Retention.FOR_EVER);

        assertThat(probe().seen("key-1").lifeLeft()).isEmpty();
        probe().letPass(YEARS);
        probe().seen("key-1");
    }

    @Test
    default void aResolvedOutcomeMayBeKeptLongerCountedFromTheFirstClaim() {
        var held = probe().escalated(holding("key-1"), "the connection broke");
        probe().letPass(RETENTION.multipliedBy(2));

        resolved(held.claim(), Retention.of(RETENTION.multipliedBy(4)));

        probe().letPass(RETENTION);
        assertThat(probe().found(holding("key-1")).outcome()).contains(payload("found at the bank"));
        probe().letPass(RETENTION);
        probe().absent("key-1");
    }

    private void resolved(ClaimRef claim, Retention kept) {
        probe().resolved(claim, new Resolution.Done(Optional.of(payload("found at the bank")), Optional.of(kept)));
    }

    @Test
    default void whatIsKeptForEverNeverExpires() {
        probe().completed(keptFor(Retention.FOR_EVER, "key-1"), "the outcome");
        probe().released(keptFor(Retention.FOR_EVER, "key-2"));
        probe().letPass(YEARS);

        assertThat(probe().store().reap(10)).isZero();
        assertThat(probe().found(keptFor(Retention.FOR_EVER, "key-1")).outcome())
                .contains(payload("the outcome"));
        assertThat(probe().acquired(keptFor(Retention.FOR_EVER, "key-2")).fence())
                .isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(WriteKind.class)
    default void aWriteToAnExpiredRecordIsRefusedAndDoesNotBringItBack(WriteKind kind) {
        var claim = probe().acquired(resuming("key-1")).claim();
        var settles = kind == WriteKind.RELEASE ? new Write.Release(claim) : WriteKind.COMPLETE.on(claim);
        probe().written(settles);
        probe().letPass(RETENTION);

        assertThat(probe().refused(kind.on(claim))).isEmpty();

        probe().absent("key-1");
    }

    /** Caches of completed outcomes live by this number. */
    @Test
    default void whatIsLeftOfALifeIsToldByTheStoresClock() {
        probe().completed(resuming("key-1"), "the outcome");
        probe().letPass(Duration.ofHours(20));

        assertThat(probe().found(resuming("key-1")).lifeLeft().orElseThrow())
                .isBetween(Duration.ofHours(4).minus(Samples.SLACK), Duration.ofHours(4));
    }
}
