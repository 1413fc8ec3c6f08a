package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.LEASE;
import static dev.refrain.store.contract.StoreTestData.SCOPE;
import static dev.refrain.store.contract.StoreTestData.batch;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static dev.refrain.store.contract.StoreTestData.sorted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Retention;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A row that cannot be stored stands in the way of its batch only until the batch is split. */
interface RejectedRowContractTests extends StoreContractPart {

    /** Both are right: a store keeps a NUL, or rejects the batch that has one before anything of it happened. */
    @ParameterizedTest
    @ValueSource(ints = {0, 3, 6})
    default void aClaimThatCannotBeStoredRejectsItsBatchAndNothingHappened(int guilty) {
        var requests = new ArrayList<>(batch(7, i -> resumableRequest("key-" + i)));
        var bad = requests.get(guilty).withSubject(Optional.of("eve\0"));
        requests.set(guilty, bad);

        if (rejects(() -> client().store().claim(requests))) {
            assertThat(requests)
                    .allSatisfy(request ->
                            assertThat(client().find(request.identity())).isEmpty());
            assertThat(rejects(() -> client().store().claim(List.of(bad)))).isTrue();
            requests.remove(guilty);
        }

        assertThat(client().store().claim(requests)).allSatisfy(StoreTestClient::expectAcquired);
    }

    @Test
    default void aPersonNamedWithANulIsErasedIfTheStoreKeptTheName() {
        var request = resumableRequest("key-1").withSubject(Optional.of("eve\0"));
        if (rejects(() -> client().store().claim(List.of(request)))) {
            client().expectAbsent("key-1");
        } else {
            client().claimAndComplete(request, "done");
            var order = new ErasureRequest(new ErasureRequest.OfSubject(SCOPE, "eve\0"), "ann", "asked for it", 10);
            assertThat(client().eraser().erase(order).erased()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 6})
    default void aWriteThatCannotBeStoredRejectsItsBatchAndNothingHappened(int guilty) {
        var claims = client().store().claim(batch(7, i -> resumableRequest("key-" + i))).stream()
                .map(answer -> StoreTestClient.expectAcquired(answer).claim())
                .toList();
        for (var bad : List.of(
                new RecordWrite.Escalate(claims.get(guilty), "broke\0"),
                new RecordWrite.Checkpoint(claims.get(guilty), "point\0", Optional.empty(), Optional.of(LEASE)))) {
            var writes = new ArrayList<RecordWrite>();
            claims.forEach(claim -> writes.add(new RecordWrite.Renew(claim, LEASE.multipliedBy(2))));
            writes.set(guilty, bad);
            if (rejects(() -> client().store().write(writes))) {
                assertThat(batch(7, i -> resumableRequest("key-" + i))).allSatisfy(request -> {
                    var record = client().expectPresent(request.identity());
                    assertThat(record.state()).isEqualTo(RecordState.IN_PROGRESS);
                    assertThat(record.remainingLease()).isLessThanOrEqualTo(LEASE);
                    assertThat(record.recoveryPoint()).isEmpty();
                });
            } else {
                return;
            }
        }
    }

    @Test
    default void aLookupOfAnotherIdentityRejectsItsBatchAndNothingHappened() {
        var taken = client().claimAndComplete(resumableRequest("taken"), "theirs");
        var intruder = new ClaimRequest(
                StoreTestData.identity("intruder"),
                taken.lookup(),
                StoreTestData.fingerprint("the request"),
                UUID.randomUUID(),
                LEASE,
                LeaseExpiryPolicy.RESUME,
                Retention.FOREVER,
                Optional.empty(),
                Optional.empty());
        var requests = sorted(Stream.concat(batch(6, i -> resumableRequest("key-" + i)).stream(), Stream.of(intruder))
                .toList());

        assertThatThrownBy(() -> client().store().claim(requests)).isInstanceOf(RowRejectedException.class);

        for (int i = 0; i < 6; i++) {
            client().expectAbsent("key-" + i);
        }
        client().expectUnchanged(StoreTestData.identity("taken"), taken);
    }

    private static boolean rejects(Runnable ask) {
        try {
            ask.run();
            return false;
        } catch (RowRejectedException e) {
            assertThat(e.effect()).isEqualTo(Effect.NONE);
            assertThat(e.isTransient()).isFalse();
            return true;
        }
    }
}
