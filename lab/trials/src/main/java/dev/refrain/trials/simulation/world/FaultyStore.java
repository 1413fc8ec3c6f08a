package dev.refrain.trials.simulation.world;

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
import dev.refrain.store.StoreLimits;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.SweepResult;
import dev.refrain.store.UnfinishedRecord;
import dev.refrain.store.UnsettledCounts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Store as one process reaches it: delayed, lossy, and sometimes fatal. */
final class FaultyStore implements Store, CompletionQueue, RecordEraser, AuditTrailReader, RecordCounter {

    private final Store store;
    private final FaultyStoreLink line;
    private final StoreLimits limits;

    FaultyStore(Store store, FaultyStoreLink line) {
        this(store, line, store.traits().limits());
    }

    /** Creates a store with limits of its own: small batches make a store that can take little. */
    FaultyStore(Store store, FaultyStoreLink line, StoreLimits limits) {
        this.store = store;
        this.line = line;
        this.limits = limits;
    }

    @Override
    public StoreTraits traits() {
        return store.traits().withLimits(limits);
    }

    @Override
    public List<ClaimResponse> claim(List<ClaimRequest> requests) {
        return line.batch("claim", requests, store::claim, ClaimResponse.Failed::new);
    }

    @Override
    public List<RecordWriteResponse> write(List<? extends RecordWrite> writes) {
        return line.batch("write", List.<RecordWrite>copyOf(writes), store::write, RecordWriteResponse.Failed::new);
    }

    @Override
    public List<Optional<StoredRecord>> find(List<ScopedKey> identities) {
        return line.batch("find", identities, store::find);
    }

    @Override
    public void addSteps(ClaimOrigin origin) {
        var unused = one("addSteps", s -> {
            s.addSteps(origin);
            return origin;
        });
    }

    @Override
    public Optional<RecordExplanation> explain(ScopedKey identity) {
        return one("explain", s -> s.explain(identity));
    }

    @Override
    public SweepResult sweep(Duration grace, int limit) {
        return one("sweep", s -> s.sweep(grace, limit));
    }

    @Override
    public AbandonedRecordPage pollAbandoned(AbandonedRecordSearch order) {
        return one("take up", s -> part(s, CompletionQueue.class).pollAbandoned(order));
    }

    @Override
    public void uncountAttempt(AbandonedRecord unattempted) {
        var unused = one("uncount", s -> {
            part(s, CompletionQueue.class).uncountAttempt(unattempted);
            return unattempted;
        });
    }

    @Override
    public List<UnfinishedRecord> listUnfinished(String namespace, Duration longerThan, int limit) {
        return one("unfinished", s -> part(s, CompletionQueue.class).listUnfinished(namespace, longerThan, limit));
    }

    @Override
    public int reap(int limit) {
        return one("reap", s -> s.reap(limit));
    }

    @Override
    public List<AttentionItem> listAttention(@Nullable AttentionItem after, int limit) {
        return one("attention", s -> s.listAttention(after, limit));
    }

    @Override
    public RecordWriteResponse resolve(Resolution resolution) {
        return one("resolve", s -> s.resolve(resolution));
    }

    @Override
    public List<AuditEntry> listAuditTrail(int limit) {
        return one("audit", s -> part(s, AuditTrailReader.class).listAuditTrail(limit));
    }

    @Override
    public ErasureResult erase(ErasureRequest order) {
        return one("erase", s -> part(s, RecordEraser.class).erase(order));
    }

    @Override
    public long countKeys(String scope, long upTo) {
        return one("count", s -> part(s, RecordCounter.class).countKeys(scope, upTo));
    }

    @Override
    public UnsettledCounts countUnsettled(int limit) {
        return one("census", s -> part(s, RecordCounter.class).countUnsettled(limit));
    }

    @Override
    public void close() {
        // The line ends with its process.
    }

    private <A> A one(String what, Function<Store, A> call) {
        return line.batch(what, List.of("all"), all -> List.of(call.apply(store)))
                .getFirst();
    }

    private static <A> A part(Store store, Class<A> ability) {
        return StoreAbility.require(store, ability, "The simulation");
    }
}
