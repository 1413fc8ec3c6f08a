package dev.refrain.store.contract;

import static dev.refrain.store.contract.Samples.LEASE;
import static dev.refrain.store.contract.Samples.SCOPE;
import static dev.refrain.store.contract.Samples.batch;
import static dev.refrain.store.contract.Samples.resuming;
import static dev.refrain.store.contract.Samples.sorted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.outcome.Retention;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ErasureOrder;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.State;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.TakeOver;
import dev.refrain.store.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A row that cannot be stored stands in the way of its batch only until the batch is split. */
interface RejectedRowContract extends Topic {

    /** Both are right: a store keeps a NUL, or rejects the batch that has one before anything of it happened. */
    @ParameterizedTest
    @ValueSource(ints = {0, 3, 6})
    default void aClaimThatCannotBeStoredRejectsItsBatchAndNothingHappened(int guilty) {
        var requests = new ArrayList<>(batch(7, i -> resuming("key-" + i)));
        var bad = requests.get(guilty).about(Optional.of("eve\0"));
        requests.set(guilty, bad);

        if (rejects(() -> probe().store().claim(requests))) {
            assertThat(requests)
                    .allSatisfy(request ->
                            assertThat(probe().find(request.identity())).isEmpty());
            assertThat(rejects(() -> probe().store().claim(List.of(bad)))).isTrue();
            requests.remove(guilty);
        }

        assertThat(probe().store().claim(requests)).allSatisfy(Probe::acquired);
    }

    @Test
    default void aPersonNamedWithANulIsErasedIfTheStoreKeptTheName() {
        var request = resuming("key-1").about(Optional.of("eve\0"));
        if (rejects(() -> probe().store().claim(List.of(request)))) {
            probe().absent("key-1");
        } else {
            probe().completed(request, "done");
            var order = new ErasureOrder(new ErasureOrder.OfPerson(SCOPE, "eve\0"), "ann", "asked for it", 10);
            assertThat(probe().store().erase(order).erased()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 6})
    default void aWriteThatCannotBeStoredRejectsItsBatchAndNothingHappened(int guilty) {
        var claims = probe().store().claim(batch(7, i -> resuming("key-" + i))).stream()
                .map(answer -> Probe.acquired(answer).claim())
                .toList();
        for (var bad : List.of(
                new Write.Escalate(claims.get(guilty), "broke\0"),
                new Write.Checkpoint(claims.get(guilty), "point\0", Optional.empty(), Optional.of(LEASE)))) {
            var writes = new ArrayList<Write>();
            claims.forEach(claim -> writes.add(new Write.Renew(claim, LEASE.multipliedBy(2))));
            writes.set(guilty, bad);
            if (rejects(() -> probe().store().write(writes))) {
                assertThat(batch(7, i -> resuming("key-" + i))).allSatisfy(request -> {
                    var record = probe().seen(request.identity());
                    assertThat(record.state()).isEqualTo(State.IN_PROGRESS);
                    assertThat(record.leaseLeft()).isLessThanOrEqualTo(LEASE);
                    assertThat(record.recoveryPoint()).isEmpty();
                });
            } else {
                return;
            }
        }
    }

    @Test
    default void aLookupOfAnotherIdentityRejectsItsBatchAndNothingHappened() {
        var taken = probe().completed(resuming("taken"), "theirs");
        var intruder = new ClaimRequest(
                Samples.identity("intruder"),
                taken.lookup(),
                Samples.fingerprint("the request"),
                UUID.randomUUID(),
                LEASE,
                TakeOver.RESUME,
                Retention.FOR_EVER,
                Optional.empty(),
                Optional.empty());
        var requests = sorted(Stream.concat(batch(6, i -> resuming("key-" + i)).stream(), Stream.of(intruder))
                .toList());

        assertThatThrownBy(() -> probe().store().claim(requests)).isInstanceOf(RowRejectedException.class);

        for (int i = 0; i < 6; i++) {
            probe().absent("key-" + i);
        }
        probe().untouched(Samples.identity("taken"), taken);
    }

    private static boolean rejects(Runnable ask) {
        try {
            ask.run();
            return false;
        } catch (RowRejectedException e) {
            assertThat(e.effect()).isEqualTo(Effect.NONE);
            assertThat(e.passing()).isFalse();
            return true;
        }
    }
}
