package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.complete;
import static dev.refrain.store.contract.StoreTestData.heldRequest;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.ClaimRef;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Store;
import dev.refrain.store.WakeupChannel;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Suite of the ability {@link WakeupChannel}: a watcher of a record is woken when another handle ends the wait for it, and for
 * changes before it began to watch.
 */
public interface WakeupsContract extends StoreContractPart {

    @Test
    default void completionByAnotherInstanceWakesWhoeverWatchesTheRecord() {
        wakesWhenWritten(claim -> complete(claim, "paid"));
    }

    @Test
    default void completionWithoutAnOutcomeWakesToo() {
        wakesWhenWritten(claim -> new RecordWrite.Complete(claim, Optional.empty(), Optional.empty()));
    }

    @Test
    default void releaseByAnotherInstanceWakesWhoeverWatchesTheRecord() {
        wakesWhenWritten(RecordWrite.Release::new);
    }

    @Test
    default void escalationByAnotherInstanceWakesWhoeverWatchesTheRecord() {
        wakesWhenWritten(claim -> new RecordWrite.Escalate(claim, "the connection broke"));
    }

    private void wakesWhenWritten(Function<ClaimRef, RecordWrite> write) {
        var claim = client().expectAcquired(heldRequest("key-1")).claim();
        try (var watch = recorder(client().harness().openSecond())) {
            watch.watchAndAwait(claim.lookup());
            int before = watch.count(claim.lookup());

            client().expectWritten(write.apply(claim));

            watch.awaitMoreThan(before, claim.lookup());
        }
    }

    @Test
    default void completionBeforeTheRecordWasWatchedIsNotMissed() {
        var claim = client().expectAcquired(resumableRequest("key-1")).claim();
        client().expectWritten(complete(claim, "paid"));

        try (var watch = recorder(client().harness().openSecond())) {
            watch.watchAndAwait(claim.lookup());
        }
    }

    @Test
    default void eachRecordOfABatchWakesThoseWhoWatchIt() {
        var claims = StoreTestData.batch(16, i -> resumableRequest("key-" + i)).stream()
                .map(request -> client().expectAcquired(request).claim())
                .toList();
        try (var watch = recorder(client().harness().openSecond())) {
            claims.forEach(claim -> watch.watch(claim.lookup()));
            claims.forEach(claim -> watch.awaitMoreThan(0, claim.lookup()));
            var before =
                    claims.stream().map(claim -> watch.count(claim.lookup())).toList();

            assertThat(client().writeAll(claims.stream()
                            .map(claim -> complete(claim, "paid"))
                            .toList()))
                    .containsOnly(new RecordWriteResponse.Written());

            for (int i = 0; i < claims.size(); i++) {
                watch.awaitMoreThan(before.get(i), claims.get(i).lookup());
            }
        }
    }

    @Test
    default void everyInstanceThatWatchesIsWokenAlsoWhenAnotherHasStopped() {
        var claim = client().expectAcquired(resumableRequest("key-1")).claim();
        try (var here = recorder(client().store());
                var there = recorder(client().harness().openSecond());
                var gone = recorder(client().harness().openSecond())) {
            for (var watch : List.of(here, there, gone)) {
                watch.watchAndAwait(claim.lookup());
            }
            gone.unwatch(claim.lookup());
            int seenThere = there.count(claim.lookup());
            int seenHere = here.count(claim.lookup());

            client().expectWritten(complete(claim, "paid"));

            there.awaitMoreThan(seenThere, claim.lookup());
            here.awaitMoreThan(seenHere, claim.lookup());
        }
    }

    @Test
    default void recordThatIsNoLongerWatchedIsNotWokenFor() {
        var left = client().expectAcquired(resumableRequest("key-1")).claim();
        var kept = client().expectAcquired(resumableRequest("key-2")).claim();
        try (var watch = recorder(client().harness().openSecond())) {
            watch.watchAndAwait(left.lookup());
            watch.unwatch(left.lookup());
            watch.watchAndAwait(kept.lookup());
            int before = watch.count(left.lookup());
            int seen = watch.count(kept.lookup());

            client().expectWritten(complete(left, "paid"));
            client().expectWritten(complete(kept, "paid"));

            watch.awaitMoreThan(seen, kept.lookup());
            assertThat(watch.count(left.lookup())).isEqualTo(before);
        }
    }

    @Test
    default void recordThatIsWatchedAgainIsWokenForAgain() {
        var claim = client().expectAcquired(resumableRequest("key-1")).claim();
        try (var watch = recorder(client().harness().openSecond())) {
            watch.watchAndAwait(claim.lookup());
            watch.unwatch(claim.lookup());
            int before = watch.count(claim.lookup());
            watch.watch(claim.lookup());
            watch.awaitMoreThan(before, claim.lookup());
            int seen = watch.count(claim.lookup());

            client().expectWritten(complete(claim, "paid"));

            watch.awaitMoreThan(seen, claim.lookup());
        }
    }

    @Test
    default void watchThatIsClosedWakesNobodyAndCanBeClosedTwice() {
        var claim = client().expectAcquired(resumableRequest("key-1")).claim();
        var other = client().harness().openSecond();
        try (var open = recorder(other)) {
            var closed = recorder(other);
            closed.watchAndAwait(claim.lookup());
            open.watchAndAwait(claim.lookup());
            closed.close();
            closed.close();
            closed.watch(claim.lookup());
            int before = closed.count(claim.lookup());
            int seen = open.count(claim.lookup());

            client().expectWritten(complete(claim, "paid"));

            open.awaitMoreThan(seen, claim.lookup());
            assertThat(closed.count(claim.lookup())).isEqualTo(before);
        }
    }

    private static WakeupRecorder recorder(Store store) {
        return new WakeupRecorder(store.ability(WakeupChannel.class).orElseThrow());
    }
}
