package dev.refrain.store.contract;

import static dev.refrain.store.contract.Samples.LEASE;
import static dev.refrain.store.contract.Samples.RETENTION;
import static dev.refrain.store.contract.Samples.SLACK;
import static dev.refrain.store.contract.Samples.fingerprint;
import static dev.refrain.store.contract.Samples.holding;
import static dev.refrain.store.contract.Samples.identity;
import static dev.refrain.store.contract.Samples.keptFor;
import static dev.refrain.store.contract.Samples.leased;
import static dev.refrain.store.contract.Samples.payload;
import static dev.refrain.store.contract.Samples.request;
import static dev.refrain.store.contract.Samples.resuming;
import static dev.refrain.store.contract.Samples.twin;
import static dev.refrain.store.contract.Samples.unlike;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.key.Identity;
import dev.refrain.key.RecordId;
import dev.refrain.outcome.Retention;
import dev.refrain.store.State;
import dev.refrain.store.TakeOver;
import dev.refrain.store.Write;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who may run: what a claim answers in each state, and that a different request never may. */
interface ClaimContract extends Topic {

    @Test
    default void anAbsentRecordIsAcquired() {
        var request = holding("key-1").about(Optional.of("eve")).storing(Optional.of(payload("the request")));

        var record = probe().acquired(request);

        assertThat(record.lookup()).isEqualTo(request.identity().lookup());
        assertThat(record.id()).isEqualTo(new RecordId(request.nonce()));
        assertThat(record.fence()).isEqualTo(1);
        assertThat(record.owner()).isEqualTo(request.nonce());
        assertThat(record.state()).isEqualTo(State.IN_PROGRESS);
        assertThat(record.takeOver()).isEqualTo(TakeOver.HOLD);
        assertThat(record.fingerprint()).contains(request.fingerprint());
        assertThat(record.recoveryPoint()).isEmpty();
        assertThat(record.leaseLeft()).isBetween(LEASE.minus(SLACK), LEASE);
        assertThat(record.lifeLeft().orElseThrow()).isBetween(RETENTION.minus(SLACK), RETENTION);
        assertThat(record.outcome()).isEmpty();
        assertThat(record.request()).contains(payload("the request"));
        assertThat(record.carried()).isEmpty();
    }

    @Test
    default void whatWasAcquiredIsWhatIsFoundAfterwards() {
        var acquired = probe().acquired(resuming("key-1"));

        probe().untouched(identity("key-1"), acquired);
    }

    /** Elsewhere: losing the race to insert still means "acquired"; a duplicate in flight gets nothing, as a success. */
    @Test
    default void whoComesSecondIsToldWhoCameFirst() {
        var first = probe().acquired(resuming("key-1"));

        var second = probe().found(resuming("key-1"));

        Probe.same(second, first);
    }

    /** Elsewhere: a waiter whose patience ends frees the claim of the one still working. */
    @Test
    default void askingForARunningRecordHoweverOftenChangesNothing() {
        var first = probe().acquired(resuming("key-1"));

        for (int i = 0; i < 20; i++) {
            probe().found(i % 2 == 0 ? resuming("key-1") : holding("key-1"));
        }

        probe().untouched(identity("key-1"), first);
        probe().written(Samples.complete(first.claim(), "done"));
    }

    /** Elsewhere: a mismatch while the first is in flight answers "in progress"; a reused key runs twice. */
    @ParameterizedTest
    @EnumSource(Situation.class)
    default void aDifferentRequestIsNeverRunAndChangesNothing(Situation situation) {
        var before = situation.bringAbout(probe(), "key-1");

        var found = probe().found(unlike(resuming("key-1")));

        assertThat(found.fingerprint()).contains(fingerprint("the request"));
        Probe.same(found, before);
        probe().untouched(identity("key-1"), before);
        assertThat(probe().attention()).hasSize(situation == Situation.ATTENTION ? 1 : 0);
    }

    @ParameterizedTest
    @EnumSource(Situation.class)
    default void aLikeDigestMadeByAnotherRecipeIsNotTheSameRequest(Situation situation) {
        var before = situation.bringAbout(probe(), "key-1");

        var found = probe().found(resuming("key-1").fingerprinted(fingerprint("2/contract", "the request")));

        Probe.same(found, before);
        probe().untouched(identity("key-1"), before);
    }

    @Test
    default void aReleasedRecordIsClaimedUnderTheSameIdAndTheNextFence() {
        var released = probe().released(resuming("key-1"));
        var request = leased(LEASE.multipliedBy(2), holding("key-1"));

        var again = probe().acquired(request);

        assertThat(again.id()).isEqualTo(released.id());
        assertThat(again.fence()).isEqualTo(2);
        assertThat(again.owner()).isEqualTo(request.nonce());
        assertThat(again.state()).isEqualTo(State.IN_PROGRESS);
        assertThat(again.takeOver()).isEqualTo(TakeOver.HOLD);
        assertThat(again.leaseLeft()).isGreaterThan(LEASE);
        probe().untouched(identity("key-1"), again);
    }

    @Test
    default void everyClaimOfARecordHasAGreaterFenceAndTheSameId() {
        var request = resuming("key-1");
        var first = probe().released(request);

        for (long fence = 2; fence <= 10; fence++) {
            var again = probe().released(twin(request));
            assertThat(again.fence()).isEqualTo(fence);
            assertThat(again.id()).isEqualTo(first.id());
        }
    }

    @Test
    default void aReleaseKeepsIdFingerprintFenceAndExpiry() {
        var acquired = probe().acquired(resuming("key-1"));
        probe().letPass(Duration.ofHours(3));
        probe().written(new Write.Release(acquired.claim()));

        var released = probe().seen("key-1");

        assertThat(released.state()).isEqualTo(State.RELEASED);
        assertThat(released.claim()).isEqualTo(acquired.claim());
        assertThat(released.fingerprint()).isEqualTo(acquired.fingerprint());
        assertThat(released.lifeLeft().orElseThrow()).isLessThanOrEqualTo(Duration.ofHours(21));
    }

    /** Elsewhere: a replay writes to the database (upsert, then roll back). */
    @Test
    default void aCompletedRecordIsAnsweredWithItsOutcomeAndNotTouched() {
        var completed = probe().completed(resuming("key-1"), "the outcome");

        for (int i = 0; i < 3; i++) {
            var replay = probe().found(resuming("key-1"));
            assertThat(replay.state()).isEqualTo(State.COMPLETED);
            assertThat(replay.outcome()).contains(payload("the outcome"));
            Probe.same(replay, completed);
        }
        probe().untouched(identity("key-1"), completed);
    }

    @Test
    default void aRecordInAttentionIsNeverAcquiredHoweverLongItWaits() {
        var held = probe().escalated(resuming("key-1"), "the connection broke");
        probe().letPass(Duration.ofDays(400));

        var found = probe().found(resuming("key-1"));

        assertThat(found.state()).isEqualTo(State.ATTENTION);
        assertThat(found.claim()).isEqualTo(held.claim());
    }

    @Test
    default void whoWasToldInProgressMayAskAgainUnderTheSameNonce() {
        var first = probe().acquired(resuming("key-1"));
        var waiting = resuming("key-1");
        probe().found(waiting);
        probe().written(new Write.Release(first.claim()));

        var acquired = probe().acquired(waiting);

        assertThat(acquired.id()).isEqualTo(first.id());
        assertThat(acquired.owner()).isEqualTo(waiting.nonce());
        assertThat(acquired.fence()).isEqualTo(2);
    }

    @Test
    default void aRecordKeptForEverHasNoEnd() {
        assertThat(probe().acquired(keptFor(Retention.FOR_EVER, "key-1")).lifeLeft())
                .isEmpty();
    }

    @Test
    default void theLongestAndTheOddestIdentitiesAreKeptApart() {
        String wide = "ü".repeat(Identity.MAX_BYTES / 2);
        String longest = "~".repeat(Identity.MAX_BYTES);
        var longOne = request(new Identity(wide, wide, longest), TakeOver.RESUME, Retention.FOR_EVER);
        var odd = request(
                new Identity("", "名前 😀 ' \" \\ % _ \u0001 \uFFFF", "{\"$gt\":1}"),
                TakeOver.RESUME,
                Retention.FOR_EVER);

        var first = probe().acquired(longOne);
        var second = probe().acquired(odd);

        probe().untouched(longOne.identity(), first);
        probe().untouched(odd.identity(), second);
        assertThat(probe().store().count(wide, 10)).isEqualTo(1);
        assertThat(probe().store().count("", 10)).isEqualTo(1);
    }
}
