package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.LEASE;
import static dev.refrain.store.contract.StoreTestData.complete;
import static dev.refrain.store.contract.StoreTestData.heldRequest;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static dev.refrain.store.contract.StoreTestData.roundedUp;
import static dev.refrain.store.contract.StoreTestData.withLease;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests of leases: how long a claim holds, and what happens when its lease expires. */
interface LeaseContractTests extends StoreContractPart {

    /** Elsewhere: the lock lives as long as the cache entry, so a crash means 409 for 24 hours. */
    @Test
    default void claimWhoseLeaseIsOverIsTakenOverWhereItMayResume() {
        var dead = client().expectAcquired(resumableRequest("key-1"));
        client().advanceTime(LEASE);
        var request = resumableRequest("key-1");

        var taken = client().expectAcquired(request);

        assertThat(taken.id()).isEqualTo(dead.id());
        assertThat(taken.fence()).isEqualTo(2);
        assertThat(taken.owner()).isEqualTo(request.nonce());
        assertThat(taken.isLeaseExpired()).isFalse();
    }

    /** Elsewhere: a timeout runs the work again, although it moves money and must not. */
    @Test
    default void claimWhoseLeaseIsOverGoesToAttentionWhereItMustHold() {
        var dead = client().expectAcquired(heldRequest("key-1"));
        client().advanceTime(LEASE);

        var found = client().expectFound(heldRequest("key-1"));

        assertThat(found.state()).isEqualTo(RecordState.ATTENTION);
        assertThat(found.claim()).isEqualTo(dead.claim());
        assertThat(found.owner()).isEqualTo(dead.owner());
        assertThat(client().attention()).singleElement().satisfies(item -> {
            assertThat(item.claim()).isEqualTo(dead.claim());
            assertThat(item.reason()).isNotBlank();
        });
    }

    @Test
    default void leaseExpiryPolicyIsThatOfTheOwnerNotOfTheTaker() {
        client().expectAcquired(heldRequest("key-1"));
        client().expectAcquired(resumableRequest("key-2"));
        client().advanceTime(LEASE);

        assertThat(client().expectFound(resumableRequest("key-1")).state()).isEqualTo(RecordState.ATTENTION);
        assertThat(client().expectAcquired(heldRequest("key-2")).takeOver()).isEqualTo(LeaseExpiryPolicy.HOLD);
    }

    @Test
    default void takenOverClaimFollowsTheTermsOfItsNewOwner() {
        client().expectAcquired(resumableRequest("key-1"));
        client().advanceTime(LEASE);
        client().expectAcquired(withLease(LEASE.multipliedBy(3), heldRequest("key-1")));

        client().advanceTime(LEASE.multipliedBy(2));
        assertThat(client().expectFound(resumableRequest("key-1")).state()).isEqualTo(RecordState.IN_PROGRESS);

        client().advanceTime(LEASE);
        assertThat(client().expectFound(resumableRequest("key-1")).state()).isEqualTo(RecordState.ATTENTION);
    }

    /** Elsewhere: staleness is judged by creation time, so a claim that is old but running looks dead. */
    @Test
    default void claimThatIsRenewedIsNotTakenOverHoweverOldItIs() {
        var claim = client().expectAcquired(resumableRequest("key-1")).claim();

        for (int i = 0; i < 10; i++) {
            client().advanceTime(LEASE.multipliedBy(4).dividedBy(5));
            client().expectWritten(new RecordWrite.Renew(claim, LEASE));
            var found = client().expectFound(resumableRequest("key-1"));
            assertThat(found.state()).isEqualTo(RecordState.IN_PROGRESS);
            assertThat(found.claim()).isEqualTo(claim);
        }
    }

    /** A handle that tells claims apart by their fence alone would add up the leases that it did not renew itself. */
    @Test
    default void claimRenewedThroughAnotherHandleIsNotTakenOver() {
        var other = new StoreTestClient(client().harness(), client().harness().openSecond());
        var claim = client().expectAcquired(resumableRequest("key-1")).claim();

        for (int i = 0; i < 3; i++) {
            client().advanceTime(LEASE.multipliedBy(4).dividedBy(5));
            client().expectWritten(new RecordWrite.Renew(claim, LEASE));
            assertThat(other.expectFound(resumableRequest("key-1")).claim()).isEqualTo(claim);
            assertThat(other.store().sweep(Duration.ZERO, 10).released()).isZero();
        }

        client().advanceTime(LEASE);
        assertThat(other.expectAcquired(resumableRequest("key-1")).fence()).isEqualTo(2);
    }

    @Test
    default void renewedLeaseCountsFromNowNotFromWhereItEnded() {
        var claim = client().expectAcquired(resumableRequest("key-1")).claim();

        client().expectWritten(new RecordWrite.Renew(claim, LEASE));
        client().expectWritten(new RecordWrite.Renew(claim, LEASE));
        assertThat(client().expectPresent("key-1").remainingLease()).isLessThanOrEqualTo(roundedUp(LEASE));

        client().expectWritten(new RecordWrite.Renew(claim, Duration.ofMinutes(2)));
        assertThat(client().expectPresent("key-1").remainingLease())
                .isLessThanOrEqualTo(roundedUp(Duration.ofMinutes(2)));
    }

    @Test
    default void lateRenewalHoldsIfNobodyTookOverMeanwhile() {
        var claim = client().expectAcquired(resumableRequest("key-1")).claim();
        client().advanceTime(LEASE.multipliedBy(2));

        client().expectWritten(new RecordWrite.Renew(claim, LEASE));

        assertThat(client().expectFound(resumableRequest("key-1")).claim()).isEqualTo(claim);
    }

    /** Elsewhere: work that succeeded after its lock expired is discarded, and a retry runs it again. */
    @Test
    default void lateCompletionHoldsIfNobodyTookOverMeanwhile() {
        var claim = client().expectAcquired(resumableRequest("key-1")).claim();
        client().advanceTime(LEASE.multipliedBy(2));

        client().expectWritten(complete(claim, "late, and done"));

        assertThat(client().expectFound(resumableRequest("key-1")).state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    default void remainingLeaseIsMeasuredByTheStoresClock() {
        client().expectAcquired(resumableRequest("key-1"));

        client().advanceTime(LEASE.dividedBy(2));
        assertThat(client().expectPresent("key-1").remainingLease()).isLessThanOrEqualTo(roundedUp(LEASE.dividedBy(2)));
        assertThat(client().expectPresent("key-1").isLeaseExpired()).isFalse();

        client().advanceTime(LEASE.dividedBy(2));
        assertThat(client().expectPresent("key-1").isLeaseExpired()).isTrue();
    }

    @Test
    default void claimIsSafeUntilItsLeaseIsOver() {
        var claim = client().expectAcquired(resumableRequest("key-1")).claim();
        client().advanceTime(LEASE.multipliedBy(4).dividedBy(5));

        assertThat(client().expectFound(resumableRequest("key-1")).claim()).isEqualTo(claim);
    }
}
