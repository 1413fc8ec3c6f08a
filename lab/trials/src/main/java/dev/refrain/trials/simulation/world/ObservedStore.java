package dev.refrain.trials.simulation.world;

import dev.refrain.api.KeyHash;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AbandonedRecord;
import dev.refrain.store.AbandonedRecordPage;
import dev.refrain.store.AbandonedRecordSearch;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.AuditTrailReader;
import dev.refrain.store.ClaimOrigin;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.CompletionQueue;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.ErasureResult;
import dev.refrain.store.RecordCounter;
import dev.refrain.store.RecordEraser;
import dev.refrain.store.RecordExplanation;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.Store;
import dev.refrain.store.StoreAbility;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.SweepResult;
import dev.refrain.store.UnfinishedRecord;
import dev.refrain.store.UnsettledCounts;
import dev.refrain.trials.simulation.law.StoreAction;
import dev.refrain.trials.simulation.law.TimedRecordSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Shared store as one process reaches it: every call is one observed step of the world. */
record ObservedStore(Store store, RecordChangeObserver eyes, SimulatedDatabase database, String process)
        implements Store, CompletionQueue, RecordEraser, AuditTrailReader, RecordCounter {

    @Override
    public StoreTraits traits() {
        return store.traits();
    }

    @Override
    public List<ClaimResponse> claim(List<ClaimRequest> requests) {
        var lookups = requests.stream().map(ClaimRequest::lookup).toList();
        eyes.batch(process, lookups);
        return exceptLocked(
                requests,
                ClaimRequest::lookup,
                free -> watch(
                        free.stream().map(ClaimRequest::identity).toList(),
                        () -> store.claim(free),
                        answers -> i -> new StoreAction.Claimed(free.get(i), answers.get(i))),
                ClaimResponse.Failed::new);
    }

    @Override
    public List<RecordWriteResponse> write(List<? extends RecordWrite> writes) {
        var lookups = writes.stream().map(w -> w.claim().lookup()).toList();
        eyes.batch(process, lookups);
        return exceptLocked(
                List.<RecordWrite>copyOf(writes),
                w -> w.claim().lookup(),
                free -> watch(
                        free.stream()
                                .map(w -> eyes.identity(w.claim().lookup()))
                                .toList(),
                        () -> store.write(free),
                        answers -> i -> new StoreAction.Wrote(free.get(i), answers.get(i))),
                RecordWriteResponse.Failed::new);
    }

    /** A row that a transaction has fails alone. */
    private <Q, A> List<A> exceptLocked(
            List<Q> questions,
            Function<Q, KeyHash> lookup,
            Function<List<Q>, List<A>> ask,
            Function<StoreException, A> failed) {
        var locked =
                questions.stream().map(lookup).filter(database::isRowLocked).collect(Collectors.toSet());
        var free = questions.stream()
                .filter(q -> !locked.contains(lookup.apply(q)))
                .toList();
        var answers = free.isEmpty() ? List.<A>of() : ask.apply(free);
        var all = new ArrayList<A>();
        int next = 0;
        for (var question : questions) {
            all.add(
                    locked.contains(lookup.apply(question))
                            ? failed.apply(RowRejectedException.locked(
                                    "A transaction has it.", new IllegalStateException("lock timeout")))
                            : answers.get(next++));
        }
        return all;
    }

    @Override
    public List<Optional<StoredRecord>> find(List<ScopedKey> identities) {
        eyes.batch(process, identities.stream().map(ScopedKey::hash).toList());
        return watch(identities, () -> store.find(identities), answers -> i -> new StoreAction.Read());
    }

    @Override
    public void addSteps(ClaimOrigin origin) {
        store.addSteps(origin);
    }

    @Override
    public Optional<RecordExplanation> explain(ScopedKey identity) {
        return store.explain(identity);
    }

    @Override
    public SweepResult sweep(Duration grace, int limit) {
        var swept = store.sweep(grace, limit);
        if (swept.released() + swept.toAttention() > 0) {
            eyes.afterAll(process, new StoreAction.Swept(grace));
        }
        if (!swept.more()) {
            eyes.afterSweep(process, grace);
        }
        return swept;
    }

    @Override
    public AbandonedRecordPage pollAbandoned(AbandonedRecordSearch order) {
        var taken = inner(CompletionQueue.class).pollAbandoned(order);
        if (!taken.abandoned().isEmpty() || taken.toAttention() > 0) {
            eyes.afterAll(process, new StoreAction.TakenUp(order, taken));
        }
        return taken;
    }

    @Override
    public void uncountAttempt(AbandonedRecord unattempted) {
        inner(CompletionQueue.class).uncountAttempt(unattempted);
    }

    @Override
    public List<UnfinishedRecord> listUnfinished(String namespace, Duration longerThan, int limit) {
        return inner(CompletionQueue.class).listUnfinished(namespace, longerThan, limit);
    }

    @Override
    public int reap(int limit) {
        int reaped = store.reap(limit);
        if (reaped > 0) {
            eyes.afterAll(process, new StoreAction.Reaped());
        }
        return reaped;
    }

    @Override
    public List<AttentionItem> listAttention(@Nullable AttentionItem after, int limit) {
        return store.listAttention(after, limit);
    }

    @Override
    public RecordWriteResponse resolve(Resolution resolution) {
        return watch(
                List.of(eyes.identity(resolution.claim().lookup())),
                () -> store.resolve(resolution),
                answer -> i -> new StoreAction.Resolved(resolution, answer));
    }

    @Override
    public List<AuditEntry> listAuditTrail(int limit) {
        return inner(AuditTrailReader.class).listAuditTrail(limit);
    }

    @Override
    public ErasureResult erase(ErasureRequest order) {
        var erased = inner(RecordEraser.class).erase(order);
        if (erased.erased() > 0) {
            eyes.afterAll(process, new StoreAction.Erased());
        }
        return erased;
    }

    @Override
    public long countKeys(String scope, long upTo) {
        return inner(RecordCounter.class).countKeys(scope, upTo);
    }

    @Override
    public UnsettledCounts countUnsettled(int limit) {
        return inner(RecordCounter.class).countUnsettled(limit);
    }

    @Override
    public void close() {
        // Shared: it outlives every process.
    }

    /** Maps an element of a batch to the action on its record. */
    private interface ActionMapper<A> {
        IntFunction<StoreAction> of(A answer);
    }

    private <A> A watch(List<ScopedKey> identities, Supplier<A> call, ActionMapper<A> telling) {
        List<Optional<TimedRecordSnapshot>> before = identities.stream()
                .map(identity -> eyes.before(process, identity))
                .toList();
        var answer = call.get();
        var deeds = telling.of(answer);
        for (int i = 0; i < identities.size(); i++) {
            eyes.after(process, identities.get(i), before.get(i), deeds.apply(i));
        }
        return answer;
    }

    private <A> A inner(Class<A> ability) {
        return StoreAbility.require(store, ability, "This decorator");
    }
}
