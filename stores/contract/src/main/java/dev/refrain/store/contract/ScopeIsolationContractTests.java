package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.LEASE;
import static dev.refrain.store.contract.StoreTestData.NAMESPACE;
import static dev.refrain.store.contract.StoreTestData.complete;
import static dev.refrain.store.contract.StoreTestData.payload;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.KeyHash;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.ClaimOrigin;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests that a scope can neither see, collide with, nor probe the keys of another. */
interface ScopeIsolationContractTests extends StoreContractPart {

    private static ClaimRequest of(ScopedKey identity) {
        return StoreTestData.request(identity, LeaseExpiryPolicy.RESUME, Retention.of(StoreTestData.RETENTION));
    }

    /** Elsewhere: keys are global to the service, and tenants collide. */
    @Test
    default void equalKeysOfDifferentScopesNeverMeet() {
        var ours = of(new ScopedKey("tenant-a", NAMESPACE, "key-1"));
        var theirs = of(new ScopedKey("tenant-b", NAMESPACE, "key-1"));

        var mine = client().expectAcquired(ours);
        var yours = client().expectAcquired(theirs);
        client().expectWritten(complete(mine.claim(), "ours"));

        assertThat(mine.id()).isNotEqualTo(yours.id());
        assertThat(client().expectPresent(ours.identity()).outcome()).contains(payload("ours"));
        client().expectUnchanged(theirs.identity(), yours);
    }

    @Test
    default void equalKeysOfDifferentNamespacesNeverMeet() {
        var payment = of(new ScopedKey("tenant-a", "payments.create", "key-1"));
        var refund = of(new ScopedKey("tenant-a", "refunds.create", "key-1"));

        client().claimAndComplete(payment, "paid");
        var running = client().expectAcquired(refund);

        assertThat(running.state()).isEqualTo(RecordState.IN_PROGRESS);
        assertThat(client().expectPresent(payment.identity()).outcome()).contains(payload("paid"));
    }

    @Test
    default void namesThatReadAlikeWhenJoinedNeverMeet() {
        for (var identity : List.of(
                new ScopedKey("a", "bc", "d"),
                new ScopedKey("ab", "c", "d"),
                new ScopedKey("a", "b", "cd"),
                new ScopedKey("", "abc", "d"),
                new ScopedKey("A", "BC", "D"),
                new ScopedKey("a ", "bc", "d"))) {
            assertThat(client().expectAcquired(of(identity)).fence()).isEqualTo(1);
        }
    }

    @Test
    default void identitiesThatShareALookupAreDistinguished() {
        var ours = of(new ScopedKey("tenant-a", NAMESPACE, "key-1"));
        var completed = client().claimAndComplete(ours, "ours");

        StoreTestClient.expectRejected(
                client().claim(at(ours.lookup(), new ScopedKey("tenant-b", NAMESPACE, "key-2"))));
        client().expectUnchanged(ours.identity(), completed);
    }

    @Test
    default void expiredRecordIsInNobodysWay() {
        var ours = of(new ScopedKey("tenant-a", NAMESPACE, "key-1"));
        client().claimAndComplete(ours, "ours");
        client().advanceTime(StoreTestData.RETENTION);

        var fresh = client().expectAcquired(at(ours.lookup(), new ScopedKey("tenant-b", NAMESPACE, "key-2")));

        assertThat(fresh.fence()).isEqualTo(1);
        assertThat(fresh.outcome()).isEmpty();
    }

    @Test
    default void halfDoneRecordIsInOthersWayHoweverOld() {
        var ours = of(new ScopedKey("tenant-a", NAMESPACE, "key-1"));
        var left = client().claimCheckpointAndRelease(ours);
        client().advanceTime(StoreTestData.RETENTION.multipliedBy(2));
        var beside = of(new ScopedKey("tenant-c", NAMESPACE, "key-3"));
        var wishes =
                StoreTestData.sorted(List.of(at(ours.lookup(), new ScopedKey("tenant-b", NAMESPACE, "key-2")), beside));

        var answers = client().store().claim(wishes);

        int own = wishes.indexOf(beside);
        StoreTestClient.expectRejected(answers.get(1 - own));
        StoreTestClient.expectAcquired(answers.get(own));
        assertThat(client().expectPresent(ours.identity()).claim()).isEqualTo(left.claim());
    }

    private static ClaimRequest at(KeyHash lookup, ScopedKey identity) {
        return new ClaimRequest(
                identity,
                lookup,
                StoreTestData.fingerprint("the request"),
                UUID.randomUUID(),
                LEASE,
                LeaseExpiryPolicy.RESUME,
                Retention.of(StoreTestData.RETENTION),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                ClaimOrigin.UNKNOWN);
    }

    @Test
    default void claimOfOneScopeWritesNothingOfAnother() {
        var ours = client().expectAcquired(of(new ScopedKey("tenant-a", NAMESPACE, "key-1")));
        var theirs = of(new ScopedKey("tenant-b", NAMESPACE, "key-1"));
        var running = client().expectAcquired(theirs);

        var forged = new ClaimRef(theirs.lookup(), ours.id(), ours.fence());
        client().expectRefused(complete(forged, "forged"));
        client().expectRefused(new RecordWrite.Release(forged));

        client().expectUnchanged(theirs.identity(), running);
    }
}
