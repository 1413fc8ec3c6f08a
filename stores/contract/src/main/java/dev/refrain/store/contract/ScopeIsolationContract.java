package dev.refrain.store.contract;

import static dev.refrain.store.contract.Samples.LEASE;
import static dev.refrain.store.contract.Samples.NAMESPACE;
import static dev.refrain.store.contract.Samples.NEIGHBOURS;
import static dev.refrain.store.contract.Samples.complete;
import static dev.refrain.store.contract.Samples.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.key.Identity;
import dev.refrain.key.Lookup;
import dev.refrain.outcome.Retention;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ErasureOrder;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.State;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.TakeOver;
import dev.refrain.store.Write;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** One scope can neither see, collide with, nor probe another's keys. */
interface ScopeIsolationContract extends Topic {

    private static ClaimRequest of(Identity identity) {
        return Samples.request(identity, TakeOver.RESUME, Retention.of(Samples.RETENTION));
    }

    /** Elsewhere: keys are global to the service, and tenants collide. */
    @Test
    default void equalKeysOfDifferentScopesNeverMeet() {
        var ours = of(new Identity("tenant-a", NAMESPACE, "key-1"));
        var theirs = of(new Identity("tenant-b", NAMESPACE, "key-1"));

        var mine = client().expectAcquired(ours);
        var yours = client().expectAcquired(theirs);
        client().expectWritten(complete(mine.claim(), "ours"));

        assertThat(mine.id()).isNotEqualTo(yours.id());
        assertThat(client().expectPresent(ours.identity()).outcome()).contains(payload("ours"));
        client().expectUnchanged(theirs.identity(), yours);
    }

    @Test
    default void equalKeysOfDifferentNamespacesNeverMeet() {
        var payment = of(new Identity("tenant-a", "payments.create", "key-1"));
        var refund = of(new Identity("tenant-a", "refunds.create", "key-1"));

        client().claimAndComplete(payment, "paid");
        var running = client().expectAcquired(refund);

        assertThat(running.state()).isEqualTo(State.IN_PROGRESS);
        assertThat(client().expectPresent(payment.identity()).outcome()).contains(payload("paid"));
    }

    @Test
    default void namesThatReadAlikeWhenJoinedNeverMeet() {
        for (var identity : List.of(
                new Identity("a", "bc", "d"),
                new Identity("ab", "c", "d"),
                new Identity("a", "b", "cd"),
                new Identity("", "abc", "d"),
                new Identity("A", "BC", "D"),
                new Identity("a ", "bc", "d"))) {
            assertThat(client().expectAcquired(of(identity)).fence()).isEqualTo(1);
        }
    }

    @Test
    default void identitiesThatShareALookupAreToldApart() {
        var ours = of(new Identity("tenant-a", NAMESPACE, "key-1"));
        var completed = client().claimAndComplete(ours, "ours");

        assertThatThrownBy(() -> client().claim(at(ours.lookup(), new Identity("tenant-b", NAMESPACE, "key-2"))))
                .isInstanceOfSatisfying(RowRejectedException.class, e -> {
                    assertThat(e.effect()).isEqualTo(Effect.NONE);
                    assertThat(e.isTransient()).isFalse();
                });
        client().expectUnchanged(ours.identity(), completed);
    }

    @Test
    default void anExpiredRecordIsInNobodysWay() {
        var ours = of(new Identity("tenant-a", NAMESPACE, "key-1"));
        client().claimAndComplete(ours, "ours");
        client().advanceTime(Samples.RETENTION);

        var fresh = client().expectAcquired(at(ours.lookup(), new Identity("tenant-b", NAMESPACE, "key-2")));

        assertThat(fresh.fence()).isEqualTo(1);
        assertThat(fresh.outcome()).isEmpty();
    }

    @Test
    default void whatIsHalfDoneIsInOthersWayHoweverOld() {
        var ours = of(new Identity("tenant-a", NAMESPACE, "key-1"));
        var left = client().claimCheckpointAndRelease(ours);
        client().advanceTime(Samples.RETENTION.multipliedBy(2));
        var beside = of(new Identity("tenant-c", NAMESPACE, "key-3"));
        var wishes = Samples.sorted(List.of(at(ours.lookup(), new Identity("tenant-b", NAMESPACE, "key-2")), beside));

        assertThatThrownBy(() -> client().store().claim(wishes)).isInstanceOf(RowRejectedException.class);

        assertThat(client().expectPresent(ours.identity()).claim()).isEqualTo(left.claim());
        assertThat(client().find(beside.identity())).isEmpty();
    }

    private static ClaimRequest at(Lookup lookup, Identity identity) {
        return new ClaimRequest(
                identity,
                lookup,
                Samples.fingerprint("the request"),
                UUID.randomUUID(),
                LEASE,
                TakeOver.RESUME,
                Retention.of(Samples.RETENTION),
                Optional.empty(),
                Optional.empty());
    }

    @Test
    default void scopesThatLieSideBySideAreCountedAndErasedApart() {
        String ours = NEIGHBOURS.getFirst();
        String theirs = NEIGHBOURS.getLast();
        assertThat(Identity.anyHashOfScope(ours).firstOfScope())
                .isEqualTo(Identity.anyHashOfScope(theirs).firstOfScope());
        for (int i = 0; i < 3; i++) {
            client().claimAndComplete(of(new Identity(ours, NAMESPACE, "key-" + i)), "ours");
        }
        var kept = client().claimAndComplete(of(new Identity(theirs, NAMESPACE, "key-1")), "theirs");

        assertThat(client().store().countKeys(ours, 10)).isEqualTo(3);
        assertThat(client().store().countKeys(theirs, 10)).isEqualTo(1);
        var erased =
                client().store().erase(new ErasureOrder(new ErasureOrder.OfScope(ours), "ann", "contract ended", 10));

        assertThat(erased.erased()).isEqualTo(3);
        assertThat(client().store().countKeys(theirs, 10)).isEqualTo(1);
        client().expectUnchanged(new Identity(theirs, NAMESPACE, "key-1"), kept);
    }

    @Test
    default void aClaimOfOneScopeWritesNothingOfAnother() {
        var ours = client().expectAcquired(of(new Identity("tenant-a", NAMESPACE, "key-1")));
        var theirs = of(new Identity("tenant-b", NAMESPACE, "key-1"));
        var running = client().expectAcquired(theirs);

        var forged = new ClaimRef(theirs.lookup(), ours.id(), ours.fence());
        client().expectRefused(complete(forged, "forged"));
        client().expectRefused(new Write.Release(forged));

        client().expectUnchanged(theirs.identity(), running);
    }
}
