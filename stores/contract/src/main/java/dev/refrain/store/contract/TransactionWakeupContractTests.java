package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.complete;
import static dev.refrain.store.contract.StoreTestData.payload;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static dev.refrain.store.contract.StoreTestData.retryOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreException;
import dev.refrain.store.WakeupChannel;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests of transactions on a store with wake-ups: the end of a transaction wakes whoever watches its record, and not before it. */
interface TransactionWakeupContractTests<C> extends TransactionalSuite<C> {

    @Test
    default void completionThatATransactionCommitsWakesWhoeverWatchesTheRecord() {
        ifWatched(resumableRequest("key-1"), (request, watch) -> {
            try (var transaction = transactions().begin()) {
                var record = StoreTestClient.expectAcquired(transaction.tryClaim(request));
                awaitThatSomebodyMayWatch();
                int before = watch.count(request.lookup());

                assertThat(transaction.completeAndCommit(request, record, payload("paid")))
                        .isEqualTo(new RecordWriteResponse.Written());

                watch.awaitMoreThan(before, request.lookup());
            }
            assertThat(client().expectPresent("key-1").state()).isEqualTo(RecordState.COMPLETED);
        });
    }

    @Test
    default void lastPhaseThatCommitsWakesWhoeverWatchesTheRecord() {
        var request = resumableRequest("key-1");
        var claim = client().expectAcquired(request).claim();
        ifWatched(request, (same, watch) -> {
            try (var phase = transactions().beginPhase()) {
                int before = watch.count(claim.lookup());

                assertThat(phase.writeAndCommit(complete(claim, "paid"))).isEqualTo(new RecordWriteResponse.Written());

                watch.awaitMoreThan(before, claim.lookup());
            }
        });
    }

    /** Where a store has one writer at a time, nobody gets as far as waiting for the record of another transaction. */
    @Test
    default void transactionThatIsRolledBackWakesWhoeverWaitsForItsKey() {
        ifWatched(resumableRequest("key-1"), (request, watch) -> {
            int before;
            try (var transaction = transactions().begin()) {
                StoreTestClient.expectAcquired(transaction.tryClaim(request));
                if (!twinWaits(request)) {
                    return;
                }
                awaitThatSomebodyMayWatch();
                before = watch.count(request.lookup());
            }

            watch.awaitMoreThan(before, request.lookup());
        });
    }

    private boolean twinWaits(ClaimRequest request) {
        try (var twin = transactions().begin()) {
            return twin.tryClaim(retryOf(request)) instanceof ClaimResponse.LockedByTransaction;
        } catch (StoreException oneWriterAtATime) {
            return false;
        }
    }

    /** Watches the record on another handle, if the store has wake-ups. */
    private void ifWatched(ClaimRequest request, WatchedWork work) {
        if (client().store().ability(WakeupChannel.class).isEmpty()) {
            return;
        }
        var other = client().harness().openSecond().ability(WakeupChannel.class).orElseThrow();
        try (var watch = new WakeupRecorder(other)) {
            watch.watchAndAwait(request.lookup());
            work.run(request, watch);
        }
    }

    /** What a test does while a record is watched. */
    @FunctionalInterface
    interface WatchedWork {
        void run(ClaimRequest request, WakeupRecorder watch);
    }

    private static void awaitThatSomebodyMayWatch() {
        long begun = System.nanoTime();
        Awaitility.await().until(() -> System.nanoTime() - begun > 2 * WakeupChannel.EARLIEST_WATCH.toNanos());
    }
}
