package dev.refrain.store.contract;

import static dev.refrain.store.contract.Samples.RETENTION;
import static dev.refrain.store.contract.Samples.batch;
import static dev.refrain.store.contract.Samples.complete;
import static dev.refrain.store.contract.Samples.holding;
import static dev.refrain.store.contract.Samples.identity;
import static dev.refrain.store.contract.Samples.keptFor;
import static dev.refrain.store.contract.Samples.resuming;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.outcome.Retention;
import dev.refrain.store.State;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reaping touches only expired COMPLETED and RELEASED records. */
interface ReapContract extends Topic {

    @Test
    default void expiredRecordsAreDeleted() {
        probe().completed(resuming("key-1"), "done");
        probe().released(resuming("key-2"));
        probe().letPass(RETENTION);

        assertThat(probe().store().reap(10)).isEqualTo(2);

        probe().absent("key-1");
        probe().absent("key-2");
        assertThat(probe().store().count(Samples.SCOPE, 10)).isZero();
        assertThat(probe().store().reap(10)).isZero();
    }

    @Test
    default void nothingIsDeletedBeforeItExpires() {
        probe().completed(resuming("key-1"), "done");
        probe().released(resuming("key-2"));
        probe().letPass(RETENTION.minus(Duration.ofMinutes(5)));

        assertThat(probe().store().reap(10)).isZero();

        assertThat(probe().seen("key-1").state()).isEqualTo(State.COMPLETED);
        assertThat(probe().seen("key-2").state()).isEqualTo(State.RELEASED);
    }

    /** Elsewhere: the reaper deletes unfinished keys too. */
    @ParameterizedTest
    @EnumSource(
            value = Situation.class,
            names = {"RUNNING", "LEASE_OVER_RESUME", "LEASE_OVER_HOLD", "ATTENTION"})
    default void unfinishedWorkIsNeverDeletedHoweverOld(Situation unfinished) {
        var before = unfinished.bringAbout(probe(), "key-1");
        probe().letPass(RETENTION.multipliedBy(100));

        assertThat(probe().store().reap(10)).isZero();

        assertThat(probe().seen("key-1").claim()).isEqualTo(before.claim());
        assertThat(probe().seen("key-1").state()).isEqualTo(before.state());
        probe().written(complete(before.claim(), "late, and done"));
    }

    @Test
    default void whatIsHalfDoneIsNeverDeletedHoweverOld() {
        var left = probe().halfDone(resuming("key-1"));
        probe().completed(resuming("key-2"), "done");
        probe().letPass(RETENTION.multipliedBy(100));

        assertThat(probe().store().reap(10)).isEqualTo(1);

        assertThat(probe().seen("key-1").claim()).isEqualTo(left.claim());
        assertThat(probe().seen("key-1").carried()).isEqualTo(left.carried());
    }

    @Test
    default void whatIsKeptForEverIsNotDeleted() {
        probe().completed(keptFor(Retention.FOR_EVER, "key-1"), "done");
        probe().letPass(RETENTION.multipliedBy(1_000));

        assertThat(probe().store().reap(10)).isZero();

        probe().seen("key-1");
    }

    /** Elsewhere: the delete of an expired record races a fresh insert and removes it. */
    @Test
    default void aRecordMadeAnewAfterExpiryIsNotDeletedForTheOldOnesAge() {
        probe().completed(resuming("key-1"), "done");
        probe().letPass(RETENTION);
        var fresh = probe().acquired(holding("key-1"));

        assertThat(probe().store().reap(10)).isZero();

        probe().untouched(identity("key-1"), fresh);
        probe().written(complete(fresh.claim(), "anew"));
        assertThat(probe().store().reap(10)).isZero();
        probe().seen("key-1");
    }

    @Test
    default void anOutcomeCompletedPastItsRetentionIsNotDeletedBeforeItsHour() {
        var claim = probe().acquired(resuming("key-1")).claim();
        probe().letPass(RETENTION);
        probe().written(complete(claim, "late, and done"));
        probe().letPass(Duration.ofMinutes(50));

        assertThat(probe().store().reap(10)).isZero();
        probe().seen("key-1");

        probe().letPass(Duration.ofMinutes(10));
        assertThat(probe().store().reap(10)).isEqualTo(1);
    }

    @Test
    default void aReapIsBoundedAndSaysHowManyItDeleted() {
        for (var request : batch(7, i -> resuming("key-" + i))) {
            probe().completed(request, "done");
        }
        probe().acquired(resuming("running"));
        probe().letPass(RETENTION);

        assertThat(probe().store().reap(3)).isEqualTo(3);
        assertThat(probe().store().reap(3)).isEqualTo(3);
        assertThat(probe().store().reap(3)).isEqualTo(1);
        assertThat(probe().store().reap(3)).isZero();
        assertThat(probe().store().count(Samples.SCOPE, 10)).isEqualTo(1);
    }

    @Test
    default void aReapedKeyIsANewRequest() {
        var former = probe().completed(resuming("key-1"), "done");
        probe().letPass(RETENTION);
        probe().store().reap(10);

        var fresh = probe().acquired(resuming("key-1"));

        assertThat(fresh.id()).isNotEqualTo(former.id());
        assertThat(fresh.fence()).isEqualTo(1);
    }
}
