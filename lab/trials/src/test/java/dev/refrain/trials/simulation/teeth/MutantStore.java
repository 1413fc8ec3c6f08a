package dev.refrain.trials.simulation.teeth;

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
import dev.refrain.store.Store;
import dev.refrain.store.StoreAbility;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.SweepResult;
import dev.refrain.store.UnfinishedRecord;
import dev.refrain.store.UnsettledCounts;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Correct store whose subclasses break one thing. */
abstract class MutantStore implements Store, CompletionQueue, RecordEraser, AuditTrailReader, RecordCounter {

    final Store store;
    private final Map<KeyHash, ScopedKey> identities = new HashMap<>();

    MutantStore(Store store) {
        this.store = store;
    }

    /** Returns the real record. */
    final Optional<StoredRecord> truth(KeyHash lookup) {
        var identity = identities.get(lookup);
        return identity == null
                ? Optional.empty()
                : store.find(List.of(identity)).getFirst();
    }

    /** Returns all identities that were claimed. */
    final List<ScopedKey> asked() {
        return List.copyOf(identities.values());
    }

    ClaimResponse claim(ClaimRequest request) {
        return store.claim(List.of(request)).getFirst();
    }

    RecordWriteResponse write(RecordWrite write) {
        return store.write(List.of(write)).getFirst();
    }

    Optional<StoredRecord> find(ScopedKey identity) {
        return store.find(List.of(identity)).getFirst();
    }

    @Override
    public final List<ClaimResponse> claim(List<ClaimRequest> requests) {
        requests.forEach(r -> identities.put(r.lookup(), r.identity()));
        return requests.stream().map(this::claim).toList();
    }

    @Override
    public final List<RecordWriteResponse> write(List<? extends RecordWrite> writes) {
        return writes.stream().map(this::write).toList();
    }

    @Override
    public final List<Optional<StoredRecord>> find(List<ScopedKey> asked) {
        return asked.stream().map(this::find).toList();
    }

    @Override
    public StoreTraits traits() {
        return store.traits();
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
        return store.sweep(grace, limit);
    }

    @Override
    public AbandonedRecordPage pollAbandoned(AbandonedRecordSearch order) {
        return inner(CompletionQueue.class).pollAbandoned(order);
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
        return store.reap(limit);
    }

    @Override
    public List<AttentionItem> listAttention(@Nullable AttentionItem after, int limit) {
        return store.listAttention(after, limit);
    }

    @Override
    public RecordWriteResponse resolve(Resolution resolution) {
        return store.resolve(resolution);
    }

    @Override
    public List<AuditEntry> listAuditTrail(int limit) {
        return inner(AuditTrailReader.class).listAuditTrail(limit);
    }

    @Override
    public ErasureResult erase(ErasureRequest order) {
        return inner(RecordEraser.class).erase(order);
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
        store.close();
    }

    private <A> A inner(Class<A> ability) {
        return StoreAbility.require(store, ability, "This decorator");
    }
}
