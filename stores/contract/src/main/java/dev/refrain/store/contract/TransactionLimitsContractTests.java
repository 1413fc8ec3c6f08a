package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.payload;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static dev.refrain.store.contract.StoreTestData.retryOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.TransactionLimits;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests of time limits: a transaction that was aborted leaves nothing, and a claim does not wait for ever. */
interface TransactionLimitsContractTests<C> extends TransactionalSuite<C> {

    TransactionLimits LIMITS = new TransactionLimits(Duration.ofMinutes(1), Duration.ofMinutes(5));

    /** Far more than any of the patience below, for machines that are busy. */
    Duration NOT_FOR_EVER = Duration.ofSeconds(40);

    /** Returns false if the transaction that was aborted still holds the key: a busy server takes a while to see that its client has gone. */
    private boolean workAndCommit(ClaimRequest request) throws Exception {
        try (var transaction = transactions().begin(LIMITS)) {
            var answer = transaction.tryClaim(request);
            if (answer instanceof ClaimResponse.LockedByTransaction) {
                return false;
            }
            var record = StoreTestClient.expectAcquired(answer);
            database().insertNote(transaction.connection(), "paid");
            assertThat(transaction.completeAndCommit(request, record, payload("paid")))
                    .isEqualTo(new RecordWriteResponse.Written());
            return true;
        }
    }

    /** Called at the maximum run time, from another thread. */
    @Test
    default void nothingIsLeftOfATransactionThatWasAbortedWhileItsWorkRan() throws Exception {
        var request = resumableRequest("key-1");
        try (var transaction = transactions().begin(LIMITS)) {
            StoreTestClient.expectAcquired(transaction.tryClaim(request));
            var connection = transaction.connection();
            database().insertNote(connection, "before");
            assertThat(Thread.ofPlatform().start(transaction::abort).join(NOT_FOR_EVER))
                    .isTrue();

            var failure = catchThrowable(() -> database().insertNote(connection, "after"));
            assertThat(failure != null || !database().abortFailsRunningWork())
                    .as("what the work calls after it was aborted fails")
                    .isTrue();
            try {
                transaction.rollbackWork();
            } catch (StoreException connectionIsGone) {
                assertThat(connectionIsGone.effect()).isEqualTo(Effect.NONE);
            }
        }

        assertThat(database().notes()).isEmpty();
        client().expectAbsent("key-1");
        long giveUp = System.nanoTime() + NOT_FOR_EVER.toNanos();
        while (!workAndCommit(retryOf(request))) {
            assertThat(System.nanoTime()).as("the key is free again").isLessThan(giveUp);
            Thread.sleep(Duration.ofMillis(20));
        }
        assertThat(database().notes()).containsExactly("paid");
    }

    @Test
    default void claimThatCannotBeHadWithinItsPatienceFailsWithoutEffect() throws Exception {
        var request = resumableRequest("key-1");
        try (var transaction = transactions().begin(LIMITS)) {
            var record = StoreTestClient.expectAcquired(transaction.tryClaim(request));
            database().insertNote(transaction.connection(), "paid");
            transaction.complete(request, record, payload("paid"));
            long begun = System.nanoTime();
            try (var twin =
                    transactions().begin(new TransactionLimits(Duration.ofMillis(200), Duration.ofMinutes(1)))) {
                assertThat(twin.tryClaim(retryOf(request))).isInstanceOf(ClaimResponse.LockedByTransaction.class);
            } catch (StoreException timedOut) {
                assertThat(timedOut.isTransient()).isTrue();
                assertThat(timedOut.effect()).isEqualTo(Effect.NONE);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(NOT_FOR_EVER);
            transaction.commit();
        }

        assertThat(client().expectFound(retryOf(request)).state()).isEqualTo(RecordState.COMPLETED);
    }
}
