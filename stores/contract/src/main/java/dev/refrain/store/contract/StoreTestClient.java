package dev.refrain.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditTrailReader;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.CompletionQueue;
import dev.refrain.store.RecordCounter;
import dev.refrain.store.RecordEraser;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.Store;
import dev.refrain.store.StoreAbility;
import dev.refrain.store.StoreClock;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoredRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Calls the store under test with one element at a time and asserts the kind of answer. */
final class StoreTestClient {

    private final StoreHarness harness;
    private final Store store;

    StoreTestClient(StoreHarness harness, Store store) {
        this.harness = harness;
        this.store = store;
    }

    StoreHarness harness() {
        return harness;
    }

    Store store() {
        return store;
    }

    CompletionQueue completion() {
        return ability(CompletionQueue.class);
    }

    RecordEraser eraser() {
        return ability(RecordEraser.class);
    }

    AuditTrailReader auditTrail() {
        return ability(AuditTrailReader.class);
    }

    RecordCounter counter() {
        return ability(RecordCounter.class);
    }

    /** Runs an assertion that is not the suite's own subject, if the store has the ability for it. */
    <A> void whereAble(Class<A> type, Consumer<A> assertion) {
        store.ability(type).ifPresent(assertion);
    }

    <A> A ability(Class<A> type) {
        return StoreAbility.require(store, type, "This suite");
    }

    void advanceTime(Duration time) {
        harness.advanceTime(time);
    }

    /** Skips the test on a store without a clock, which cannot be ahead. */
    void letClockBeAhead(Duration by, Runnable meanwhile) {
        assumeTrue(store.traits().clock() != StoreClock.NONE, "The store has no clock.");
        harness.advanceTime(by);
        meanwhile.run();
        harness.turnBackTime(by);
    }

    ClaimResponse claim(ClaimRequest request) {
        var answers = store.claim(List.of(request));
        assertThat(answers).hasSize(1);
        return answers.getFirst();
    }

    /** Claims all, in batches as large as the store takes; an element that fails alone must not fail the others. */
    List<ClaimResponse> claimAll(List<ClaimRequest> requests) {
        try {
            return inBatches(requests, store::claim);
        } catch (RowRejectedException all) {
            throw new AssertionError("The store rejected the whole batch because of one row.", all);
        }
    }

    List<RecordWriteResponse> writeAll(List<? extends RecordWrite> writes) {
        try {
            return inBatches(writes, store::write);
        } catch (RowRejectedException all) {
            throw new AssertionError("The store rejected the whole batch because of one row.", all);
        }
    }

    List<Optional<StoredRecord>> findAll(List<ClaimRequest> claimed) {
        return inBatches(claimed.stream().map(ClaimRequest::identity).toList(), store::find);
    }

    /** Asks all of them in batches as large as the store takes, and returns all the answers. */
    private <Q, A> List<A> inBatches(List<Q> questions, Function<List<Q>, List<A>> ask) {
        int size = store.traits().limits().batchRows();
        var answers = new ArrayList<A>();
        for (int from = 0; from < questions.size(); from += size) {
            answers.addAll(ask.apply(questions.subList(from, Math.min(from + size, questions.size()))));
        }
        return answers;
    }

    StoredRecord expectAcquired(ClaimRequest request) {
        return expectAcquired(claim(request));
    }

    /** Asserts that this element failed alone, permanently and without effect. */
    static void expectRejected(ClaimResponse answer) {
        expectRejected(assertThat(answer)
                .asInstanceOf(type(ClaimResponse.Failed.class))
                .actual()
                .failure());
    }

    static void expectRejected(RecordWriteResponse answer) {
        expectRejected(assertThat(answer)
                .asInstanceOf(type(RecordWriteResponse.Failed.class))
                .actual()
                .failure());
    }

    private static void expectRejected(StoreException failure) {
        assertThat(failure).isInstanceOf(RowRejectedException.class);
        assertThat(failure.effect()).isEqualTo(Effect.NONE);
        assertThat(failure.isTransient()).isFalse();
    }

    static StoredRecord expectAcquired(ClaimResponse answer) {
        return assertThat(answer)
                .asInstanceOf(type(ClaimResponse.Acquired.class))
                .actual()
                .record();
    }

    StoredRecord expectFound(ClaimRequest request) {
        return expectFound(claim(request));
    }

    static StoredRecord expectFound(ClaimResponse answer) {
        return assertThat(answer)
                .asInstanceOf(type(ClaimResponse.Found.class))
                .actual()
                .record();
    }

    RecordWriteResponse write(RecordWrite write) {
        var answers = store.write(List.of(write));
        assertThat(answers).hasSize(1);
        return answers.getFirst();
    }

    void expectWritten(RecordWrite write) {
        assertThat(write(write)).isEqualTo(new RecordWriteResponse.Written());
    }

    Optional<StoredRecord> expectRefused(RecordWrite write) {
        return expectRefused(write(write));
    }

    static Optional<StoredRecord> expectRefused(RecordWriteResponse answer) {
        return assertThat(answer)
                .asInstanceOf(type(RecordWriteResponse.Refused.class))
                .actual()
                .current();
    }

    Optional<StoredRecord> find(ScopedKey identity) {
        var answers = store.find(List.of(identity));
        assertThat(answers).hasSize(1);
        return answers.getFirst();
    }

    /** Returns the record, which must exist. */
    StoredRecord expectPresent(ScopedKey identity) {
        var record = find(identity);
        assertThat(record).as("the record of %s", identity).isPresent();
        return record.orElseThrow();
    }

    StoredRecord expectPresent(String key) {
        return expectPresent(StoreTestData.identity(key));
    }

    void expectAbsent(String key) {
        assertThat(find(StoreTestData.identity(key))).isEmpty();
    }

    /** Claims and completes. */
    StoredRecord claimAndComplete(ClaimRequest request, String outcome) {
        expectWritten(StoreTestData.complete(expectAcquired(request).claim(), outcome));
        return expectPresent(request.identity());
    }

    /** Claims and releases. */
    StoredRecord claimAndRelease(ClaimRequest request) {
        expectWritten(new RecordWrite.Release(expectAcquired(request).claim()));
        return expectPresent(request.identity());
    }

    /** Claims, completes a phase and releases: half done. */
    StoredRecord claimCheckpointAndRelease(ClaimRequest request) {
        var claim = expectAcquired(request).claim();
        expectWritten(StoreTestData.checkpoint(claim, "charge_created", "charge 7"));
        expectWritten(new RecordWrite.Release(claim));
        return expectPresent(request.identity());
    }

    /** Claims and escalates. */
    StoredRecord claimAndEscalate(ClaimRequest request, String reason) {
        expectWritten(new RecordWrite.Escalate(expectAcquired(request).claim(), reason));
        return expectPresent(request.identity());
    }

    /** A store that deletes what expired by itself may leave nothing to reap. */
    void expectReaped(int expired, int reaped) {
        assertThat(reaped).isBetween(harness.deletesExpiredItself() ? 0 : expired, expired);
    }

    /** Asserts how many keys the scope has, if the store counts; one that deletes what expired by itself may not have done so yet. */
    void expectCounted(long live, long expired) {
        whereAble(
                RecordCounter.class,
                counter -> assertThat(counter.countKeys(StoreTestData.SCOPE, 100))
                        .isBetween(live, harness.deletesExpiredItself() ? live + expired : live));
    }

    List<AttentionItem> attention() {
        return store.listAttention(null, 1_000);
    }

    void resolve(ClaimRef claim, Resolution.Verdict verdict) {
        assertThat(store.resolve(new Resolution(claim, verdict, "ann", "asked the bank")))
                .isEqualTo(new RecordWriteResponse.Written());
    }

    /** Asserts that the record, including its times, has not changed. */
    void expectUnchanged(ScopedKey identity, StoredRecord before) {
        assertSameRecord(expectPresent(identity), before);
    }

    /** The same through a handle that sees it for the first time. Where the store has no clock, that one cannot know how old the lease is. */
    void expectUnchangedSeenAnew(ScopedKey identity, StoredRecord before) {
        if (store.traits().clock() == StoreClock.STORE) {
            expectUnchanged(identity, before);
            return;
        }
        var now = expectPresent(identity);
        assertThat(timeless(now)).isEqualTo(timeless(before));
        assertThat(now.remainingLease())
                .isGreaterThanOrEqualTo(before.remainingLease().minus(StoreTestData.SLACK));
    }

    static void assertSameRecord(StoredRecord now, StoredRecord before) {
        assertThat(timeless(now)).isEqualTo(timeless(before));
        if (before.state() == RecordState.IN_PROGRESS) {
            assertThat(now.remainingLease())
                    .isBetween(before.remainingLease().minus(StoreTestData.SLACK), before.remainingLease());
        }
        before.remainingLife()
                .ifPresent(life ->
                        assertThat(now.remainingLife().orElseThrow()).isBetween(life.minus(StoreTestData.SLACK), life));
    }

    private static StoredRecord timeless(StoredRecord record) {
        return new StoredRecord(
                record.lookup(),
                record.id(),
                record.fence(),
                record.owner(),
                record.state(),
                record.takeOver(),
                record.fingerprint(),
                record.recoveryPoint(),
                Duration.ZERO,
                record.remainingLife().map(left -> Duration.ZERO),
                record.outcome(),
                record.request(),
                record.carried());
    }
}
