package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.LEASE;
import static dev.refrain.store.contract.StoreTestData.RETENTION;
import static dev.refrain.store.contract.StoreTestData.complete;
import static dev.refrain.store.contract.StoreTestData.conflictingRequest;
import static dev.refrain.store.contract.StoreTestData.heldRequest;
import static dev.refrain.store.contract.StoreTestData.identity;
import static dev.refrain.store.contract.StoreTestData.payload;
import static dev.refrain.store.contract.StoreTestData.requestWithRetention;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static dev.refrain.store.contract.StoreTestData.retryOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.api.Retention;
import dev.refrain.store.ClaimAttempt;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreTransaction;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Suite of the ability {@link dev.refrain.store.StoreTransactionFactory}: claim, work and outcome commit together or not at all.
 *
 * @param <C> the work's access to the database
 */
public interface TransactionsContract<C> extends TransactionLimitsContractTests<C>, TransactionWakeupContractTests<C> {

    /** Claims, works and completes, without a commit. */
    private void pay(StoreTransaction<C> transaction, ClaimRequest request) throws Exception {
        var record = StoreTestClient.expectAcquired(transaction.tryClaim(request));
        database().insertNote(transaction.connection(), request.identity().key());
        assertThat(transaction.complete(request, record, payload("paid"))).isEqualTo(new RecordWriteResponse.Written());
    }

    @Test
    default void transactionsBelongToTheStoreTheyWriteTo() {
        assertThat(transactions().store()).isEqualTo(client().store());
    }

    @Test
    default void claimWorkAndOutcomeCommitTogether() throws Exception {
        var request = resumableRequest("key-1");
        try (var transaction = transactions().begin()) {
            pay(transaction, request);
            transaction.commit();
        }

        assertThat(database().notes()).containsExactly("key-1");
        var replay = client().expectFound(retryOf(request));
        assertThat(replay.state()).isEqualTo(RecordState.COMPLETED);
        assertThat(replay.outcome()).contains(payload("paid"));
        assertThat(replay.id().value()).isEqualTo(request.nonce());
        assertThat(replay.remainingLife().orElseThrow()).isBetween(RETENTION.minus(StoreTestData.SLACK), RETENTION);
    }

    @Test
    default void nothingIsLeftOfATransactionThatWasNotCommitted() throws Exception {
        var request = resumableRequest("key-1");
        try (var transaction = transactions().begin()) {
            pay(transaction, request);
        }

        assertThat(database().notes()).isEmpty();
        client().expectAbsent("key-1");
        assertThat(client().expectAcquired(retryOf(request)).fence()).isEqualTo(1);
    }

    @Test
    default void twinOfAnUncommittedRunIsBusyAndRunsNothing() throws Exception {
        var request = resumableRequest("key-1");
        try (var transaction = transactions().begin()) {
            pay(transaction, request);
            try (var twin = transactions().begin()) {
                assertThat(twin.tryClaim(retryOf(request))).isInstanceOf(ClaimResponse.LockedByTransaction.class);
            } catch (StoreException oneWriterAtATime) {
                assertThat(oneWriterAtATime.isTransient()).isTrue();
                assertThat(oneWriterAtATime.effect()).isEqualTo(StoreException.Effect.NONE);
            }
            transaction.commit();
        }

        assertThat(client().expectFound(retryOf(request)).state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    default void keptFailureRollsBackTheWorkAndCommitsTheOutcome() throws Exception {
        var request = resumableRequest("key-1");
        try (var transaction = transactions().begin()) {
            var record = StoreTestClient.expectAcquired(transaction.tryClaim(request));
            database().insertNote(transaction.connection(), "key-1");
            transaction.rollbackWork();
            transaction.complete(request, record, payload("declined"));
            transaction.commit();
        }

        assertThat(database().notes()).isEmpty();
        assertThat(client().expectFound(retryOf(request)).outcome()).contains(payload("declined"));
    }

    @Test
    default void settlingAndCommittingCanBeOneStep() throws Exception {
        var request = resumableRequest("key-1");
        try (var transaction = transactions().begin()) {
            var record = StoreTestClient.expectAcquired(transaction.tryClaim(request));
            database().insertNote(transaction.connection(), "key-1");
            assertThat(transaction.completeAndCommit(request, record, payload("paid")))
                    .isEqualTo(new RecordWriteResponse.Written());
        }
        var stateAlone = resumableRequest("key-2");
        try (var transaction = transactions().begin()) {
            var record = StoreTestClient.expectAcquired(transaction.tryClaim(stateAlone));
            database().insertNote(transaction.connection(), "key-2");
            transaction.rollbackWork();
            transaction.completeAndCommit(stateAlone, record, null);
        }

        assertThat(database().notes()).containsExactly("key-1");
        assertThat(client().expectFound(retryOf(request)).outcome()).contains(payload("paid"));
        assertThat(client().expectFound(retryOf(stateAlone)).outcome()).isEmpty();
    }

    @Test
    default void completedRecordIsFoundAndNotRun() throws Exception {
        var request = resumableRequest("key-1");
        try (var transaction = transactions().begin()) {
            pay(transaction, request);
            transaction.commit();
        }

        try (var transaction = transactions().begin()) {
            assertThat(StoreTestClient.expectFound(transaction.tryClaim(retryOf(request)))
                            .outcome())
                    .contains(payload("paid"));
        }
        try (var transaction = transactions().begin()) {
            assertThat(StoreTestClient.expectFound(transaction.tryClaim(conflictingRequest(request)))
                            .fingerprint())
                    .contains(request.fingerprint());
        }
    }

    @Test
    default void stateKeptAloneIsFoundWithoutAnOutcome() {
        var request = resumableRequest("key-1");
        try (var transaction = transactions().begin()) {
            transaction.complete(request, StoreTestClient.expectAcquired(transaction.tryClaim(request)), null);
            transaction.commit();
        }

        assertThat(client().expectFound(retryOf(request)).outcome()).isEmpty();
    }

    @Test
    default void releasedRecordIsContinuedUnderTheSameIdWithTheNextFence() {
        var first = client().claimAndRelease(resumableRequest("key-1"));

        var again = resumableRequest("key-1");
        try (var transaction = transactions().begin()) {
            var record = StoreTestClient.expectAcquired(transaction.tryClaim(again));
            assertThat(record.id()).isEqualTo(first.id());
            assertThat(record.fence()).isEqualTo(2);
            assertThat(transaction.complete(again, record, payload("paid")))
                    .isEqualTo(new RecordWriteResponse.Written());
            transaction.commit();
        }

        var completed = client().expectFound(resumableRequest("key-1"));
        assertThat(completed.claim()).isEqualTo(new ClaimRef(first.lookup(), first.id(), 2));
        assertThat(completed.outcome()).contains(payload("paid"));
        client().expectRefused(complete(first.claim(), "late"));
    }

    @Test
    default void expiredRecordIsReplacedByOneWithANewId() {
        client().claimAndComplete(resumableRequest("key-1"), "old");
        client().advanceTime(RETENTION);

        var again = resumableRequest("key-1");
        try (var transaction = transactions().begin()) {
            var record = StoreTestClient.expectAcquired(transaction.tryClaim(again));
            assertThat(record.id().value()).isEqualTo(again.nonce());
            assertThat(record.fence()).isEqualTo(1);
            transaction.complete(again, record, payload("new"));
            transaction.commit();
        }

        assertThat(client().expectFound(resumableRequest("key-1")).outcome()).contains(payload("new"));
    }

    @Test
    default void transactionOnAReleasedRecordIsKeptForAsLongAsTheWorkAsks() {
        var first = client().claimAndRelease(resumableRequest("key-1"));
        var forEver = requestWithRetention(Retention.FOREVER, "key-1");

        try (var transaction = transactions().begin()) {
            var record = StoreTestClient.expectAcquired(transaction.tryClaim(forEver));
            transaction.complete(forEver, record, payload("paid"));
            transaction.commit();
        }

        assertThat(client().expectPresent("key-1").id()).isEqualTo(first.id());
        assertThat(client().expectPresent("key-1").remainingLife()).isEmpty();
    }

    @Test
    default void runningClaimIsInProgressAndAnAbandonedOneIsTakenOnlyIfItMayBe() {
        client().expectAcquired(resumableRequest("abandoned"));
        client().expectAcquired(heldRequest("held"));
        client().advanceTime(LEASE);
        client().expectAcquired(resumableRequest("running"));

        try (var transaction = transactions().begin()) {
            assertThat(StoreTestClient.expectFound(transaction.tryClaim(resumableRequest("running")))
                            .state())
                    .isEqualTo(RecordState.IN_PROGRESS);
        }
        try (var transaction = transactions().begin()) {
            var request = resumableRequest("abandoned");
            var record = StoreTestClient.expectAcquired(transaction.tryClaim(request));
            assertThat(record.fence()).isEqualTo(2);
            assertThat(transaction.complete(request, record, null)).isEqualTo(new RecordWriteResponse.Written());
            transaction.commit();
        }
        try (var transaction = transactions().begin()) {
            assertThat(StoreTestClient.expectFound(transaction.tryClaim(heldRequest("held")))
                            .state())
                    .isEqualTo(RecordState.IN_PROGRESS);
        }
    }

    @Test
    default void runWithinAnotherDoesNotKeepItFromBeingRolledBack() throws Exception {
        database().inTransaction(connection -> {
            try (var outer = transactions().join(connection)) {
                StoreTestClient.expectAcquired(outer.tryClaim(resumableRequest("outer")));
                database().insertNote(connection, "debit");
                try (var inner = transactions().join(connection)) {
                    pay(inner, resumableRequest("inner"));
                }
                outer.rollbackWork();
            }
        });

        assertThat(database().notes()).isEmpty();
        client().expectAbsent("inner");
    }

    @Test
    default void transactionOfTheCallersIsNeitherCommittedNorRolledBack() throws Exception {
        var request = resumableRequest("key-1");
        database().inTransaction(connection -> {
            database().insertNote(connection, "before");
            try (var transaction = transactions().join(connection)) {
                assertThat(transaction.connection()).isSameAs(connection);
                pay(transaction, request);
                transaction.commit();
            }
            assertThat(database().notes()).isEmpty();
            database().insertNote(connection, "after");
        });

        assertThat(database().notes()).containsExactlyInAnyOrder("before", "key-1", "after");
        assertThat(client().expectFound(retryOf(request)).outcome()).contains(payload("paid"));
    }

    @Test
    default void callersTransactionIsUsableWhateverWasFound() throws Exception {
        var request = resumableRequest("key-1");
        client().expectAcquired(request);
        database().inTransaction(connection -> {
            try (var transaction = transactions().join(connection)) {
                StoreTestClient.expectFound(transaction.tryClaim(retryOf(request)));
            }
            database().insertNote(connection, "after");
        });

        assertThat(database().notes()).containsExactly("after");
    }

    @Test
    default void recordOfATransactionExplainsWhereItComesFrom() throws Exception {
        var first = resumableRequest("key-1").withOrigin(ExplanationContractTests.FIRST);
        try (var transaction = transactions().begin()) {
            pay(transaction, first);
            transaction.commit();
        }
        database().inTransaction(connection -> {
            try (var transaction = transactions().join(connection)) {
                pay(transaction, resumableRequest("key-2").withOrigin(ExplanationContractTests.SECOND));
            }
        });

        var own = client().store().explain(identity("key-1")).orElseThrow();
        assertThat(own.operation()).contains("POST /payments/{id}");
        assertThat(own.caller()).contains("alice");
        assertThat(own.traceId()).isEqualTo(first.origin().traceId());
        assertThat(own.attempts())
                .singleElement()
                .satisfies(attempt -> assertThat(attempt.endReason()).contains("completed"));
        var joined = client().store().explain(identity("key-2")).orElseThrow();
        assertThat(joined.operation()).contains("POST /payments");
        assertThat(joined.caller()).contains("bob");
    }

    @Test
    default void transactionThatGoesOnWithARecordIsAnAttemptOfIt() throws Exception {
        var claim = client().expectAcquired(resumableRequest("key-1").withOrigin(ExplanationContractTests.FIRST))
                .claim();
        client().expectWritten(new RecordWrite.Release(claim, Duration.ZERO, "threw IOException"));
        try (var transaction = transactions().begin()) {
            pay(transaction, resumableRequest("key-1").withOrigin(ExplanationContractTests.SECOND));
            transaction.commit();
        }

        var explained = client().store().explain(identity("key-1")).orElseThrow();
        assertThat(explained.operation()).contains("POST /payments/{id}");
        assertThat(explained.attempts())
                .extracting(ClaimAttempt::endReason)
                .containsExactly(Optional.of("released: threw IOException"), Optional.of("completed"));
        assertThat(explained.attempts().getLast().instance()).contains("web-2");
    }

    @Test
    default void phaseCommitsTogetherWithItsRecoveryPointAndWhatItCarries() throws Exception {
        var claim = client().expectAcquired(resumableRequest("key-1")).claim();
        try (var phase = transactions().beginPhase()) {
            database().insertNote(phase.connection(), "charged");
            assertThat(phase.writeAndCommit(StoreTestData.checkpoint(claim, "charged", "charge 7")))
                    .isEqualTo(new RecordWriteResponse.Written());
        }

        assertThat(database().notes()).containsExactly("charged");
        var record = client().expectPresent("key-1");
        assertThat(record.recoveryPoint()).contains(RecoveryPoint.reached("charged"));
        assertThat(record.carried()).contains(payload("charge 7"));

        try (var phase = transactions().beginPhase()) {
            assertThat(phase.writeAndCommit(complete(claim, "done"))).isEqualTo(new RecordWriteResponse.Written());
        }
        assertThat(client().expectPresent("key-1").outcome()).contains(payload("done"));
    }

    @Test
    default void nothingIsLeftOfAPhaseWhoseClaimIsLost() throws Exception {
        var lost = client().expectAcquired(resumableRequest("key-1")).claim();
        client().expectWritten(new RecordWrite.Release(lost));
        var now = client().expectAcquired(resumableRequest("key-1"));
        try (var phase = transactions().beginPhase()) {
            database().insertNote(phase.connection(), "charged");
            var told = StoreTestClient.expectRefused(
                    phase.writeAndCommit(StoreTestData.checkpoint(lost, "charged", "charge 7")));
            assertThat(told.orElseThrow().claim()).isEqualTo(now.claim());
        }

        assertThat(database().notes()).isEmpty();
        client().expectUnchanged(identity("key-1"), now);
    }

    @Test
    default void nothingIsLeftOfAPhaseThatWasNotCommitted() throws Exception {
        var running = client().expectAcquired(resumableRequest("key-1"));
        try (var phase = transactions().beginPhase()) {
            database().insertNote(phase.connection(), "charged");
        }

        assertThat(database().notes()).isEmpty();
        client().expectUnchanged(identity("key-1"), running);
    }
}
