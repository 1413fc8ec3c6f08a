package dev.refrain.trials.simulation.world;

import dev.refrain.api.ScopedKey;
import dev.refrain.store.AbandonedRecordBatch;
import dev.refrain.store.AbandonedRecordPoll;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.AuditTrailReader;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.CompletionQueue;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.ErasureResult;
import dev.refrain.store.RecordCounter;
import dev.refrain.store.RecordEraser;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Resolution;
import dev.refrain.store.Store;
import dev.refrain.store.StoreAbility;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.SweepResult;
import dev.refrain.store.UnfinishedRecord;
import dev.refrain.store.UnsettledCounts;
import dev.refrain.store.WriteResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Store as one process reaches it: delayed, lossy, and sometimes fatal. */
final class FaultyStore implements Store, CompletionQueue, RecordEraser, AuditTrailReader, RecordCounter {

    private final Store store;
    private final FaultyStoreLink line;

    FaultyStore(Store store, FaultyStoreLink line) {
        this.store = store;
        this.line = line;
    }

    @Override
    public StoreTraits traits() {
        return store.traits();
    }

    @Override
    public List<ClaimResponse> claim(List<ClaimRequest> requests) {
        return line.batch("claim", requests, store::claim, ClaimResponse.Failed::new);
    }

    @Override
    public List<WriteResponse> write(List<? extends RecordWrite> writes) {
        return line.batch("write", List.<RecordWrite>copyOf(writes), store::write, WriteResponse.Failed::new);
    }

    @Override
    public List<Optional<StoredRecord>> find(List<ScopedKey> identities) {
        return line.batch("find", identities, store::find);
    }

    @Override
    public SweepResult sweep(Duration grace, int limit) {
        return one("sweep", s -> s.sweep(grace, limit));
    }

    @Override
    public AbandonedRecordBatch pollAbandoned(AbandonedRecordPoll order) {
        return one("take up", s -> part(s, CompletionQueue.class).pollAbandoned(order));
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
    public List<AttentionItem> listAttention(Optional<AttentionItem> after, int limit) {
        return one("attention", s -> s.listAttention(after, limit));
    }

    @Override
    public WriteResponse resolve(Resolution resolution) {
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
