package dev.refrain.store.contract;

import static dev.refrain.store.contract.Samples.LEASE;
import static dev.refrain.store.contract.Samples.complete;
import static dev.refrain.store.contract.Samples.holding;
import static dev.refrain.store.contract.Samples.leased;
import static dev.refrain.store.contract.Samples.resuming;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.State;
import dev.refrain.store.TakeOver;
import dev.refrain.store.Write;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** For how long a claim holds, and what becomes of it then. */
interface LeaseContract extends Topic {

    /** Elsewhere: the lock's lifetime is the cache's lifetime, so a crash means 409 for 24 hours. */
    @Test
    default void aClaimWhoseLeaseIsOverIsTakenOverWhereItMayResume() {
        var dead = probe().acquired(resuming("key-1"));
        probe().letPass(LEASE);
        var request = resuming("key-1");

        var taken = probe().acquired(request);

        assertThat(taken.id()).isEqualTo(dead.id());
        assertThat(taken.fence()).isEqualTo(2);
        assertThat(taken.owner()).isEqualTo(request.nonce());
        assertThat(taken.leaseOver()).isFalse();
    }

    /** Elsewhere: a timeout runs the work again, where users ask for one that must not (money). */
    @Test
    default void aClaimWhoseLeaseIsOverGoesToAttentionWhereItMustHold() {
        var dead = probe().acquired(holding("key-1"));
        probe().letPass(LEASE);

        var found = probe().found(holding("key-1"));

        assertThat(found.state()).isEqualTo(State.ATTENTION);
        assertThat(found.claim()).isEqualTo(dead.claim());
        assertThat(found.owner()).isEqualTo(dead.owner());
        assertThat(probe().attention()).singleElement().satisfies(item -> {
            assertThat(item.claim()).isEqualTo(dead.claim());
            assertThat(item.reason()).isNotBlank();
        });
    }

    @Test
    default void howAClaimMayBeTakenOverIsDecidedByItsOwnerNotByTheTaker() {
        probe().acquired(holding("key-1"));
        probe().acquired(resuming("key-2"));
        probe().letPass(LEASE);

        assertThat(probe().found(resuming("key-1")).state()).isEqualTo(State.ATTENTION);
        assertThat(probe().acquired(holding("key-2")).takeOver()).isEqualTo(TakeOver.HOLD);
    }

    @Test
    default void aTakenOverClaimFollowsTheTermsOfItsNewOwner() {
        probe().acquired(resuming("key-1"));
        probe().letPass(LEASE);
        probe().acquired(leased(LEASE.multipliedBy(3), holding("key-1")));

        probe().letPass(LEASE.multipliedBy(2));
        assertThat(probe().found(resuming("key-1")).state()).isEqualTo(State.IN_PROGRESS);

        probe().letPass(LEASE);
        assertThat(probe().found(resuming("key-1")).state()).isEqualTo(State.ATTENTION);
    }

    /** Elsewhere: staleness is judged by creation time, so something old and running looks dead. */
    @Test
    default void aClaimThatIsRenewedIsNotTakenOverHoweverOldItIs() {
        var claim = probe().acquired(resuming("key-1")).claim();

        for (int i = 0; i < 10; i++) {
            probe().letPass(LEASE.multipliedBy(4).dividedBy(5));
            probe().written(new Write.Renew(claim, LEASE));
            var found = probe().found(resuming("key-1"));
            assertThat(found.state()).isEqualTo(State.IN_PROGRESS);
            assertThat(found.claim()).isEqualTo(claim);
        }
    }

    @Test
    default void aRenewedLeaseCountsFromNowNotFromWhereItEnded() {
        var claim = probe().acquired(resuming("key-1")).claim();

        probe().written(new Write.Renew(claim, LEASE));
        probe().written(new Write.Renew(claim, LEASE));
        assertThat(probe().seen("key-1").leaseLeft()).isLessThanOrEqualTo(LEASE);

        probe().written(new Write.Renew(claim, Duration.ofMinutes(2)));
        assertThat(probe().seen("key-1").leaseLeft()).isLessThanOrEqualTo(Duration.ofMinutes(2));
    }

    @Test
    default void aLateRenewalHoldsIfNobodyTookOverMeanwhile() {
        var claim = probe().acquired(resuming("key-1")).claim();
        probe().letPass(LEASE.multipliedBy(2));

        probe().written(new Write.Renew(claim, LEASE));

        assertThat(probe().found(resuming("key-1")).claim()).isEqualTo(claim);
    }

    /** Elsewhere: work that succeeded after its lock ran out is thrown away, and a retry runs it again. */
    @Test
    default void aLateCompletionHoldsIfNobodyTookOverMeanwhile() {
        var claim = probe().acquired(resuming("key-1")).claim();
        probe().letPass(LEASE.multipliedBy(2));

        probe().written(complete(claim, "late, and done"));

        assertThat(probe().found(resuming("key-1")).state()).isEqualTo(State.COMPLETED);
    }

    @Test
    default void whatIsLeftOfALeaseIsToldByTheStoresClock() {
        probe().acquired(resuming("key-1"));

        probe().letPass(LEASE.dividedBy(2));
        assertThat(probe().seen("key-1").leaseLeft()).isLessThanOrEqualTo(LEASE.dividedBy(2));
        assertThat(probe().seen("key-1").leaseOver()).isFalse();

        probe().letPass(LEASE.dividedBy(2));
        assertThat(probe().seen("key-1").leaseOver()).isTrue();
    }

    @Test
    default void aClaimIsSafeUntilItsLeaseIsOver() {
        var claim = probe().acquired(resuming("key-1")).claim();
        probe().letPass(LEASE.multipliedBy(4).dividedBy(5));

        assertThat(probe().found(resuming("key-1")).claim()).isEqualTo(claim);
    }
}
