package dev.refrain.trials.simulation.world;

import dev.refrain.key.Identity;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.Census;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.Erased;
import dev.refrain.store.ErasureOrder;
import dev.refrain.store.Resolution;
import dev.refrain.store.Store;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.Swept;
import dev.refrain.store.TakeUp;
import dev.refrain.store.TakenUp;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The way from one process to the store: late, lossy, and sometimes the last thing the process ever does. */
final class FaultyStore implements Store {

    private final Store store;
    private final BadLine line;

    FaultyStore(Store store, BadLine line) {
        this.store = store;
        this.line = line;
    }

    @Override
    public StoreTraits traits() {
        return store.traits();
    }

    @Override
    public List<ClaimAnswer> claim(List<ClaimRequest> requests) {
        return line.batch("claim", requests, store::claim);
    }

    @Override
    public List<WriteAnswer> write(List<? extends Write> writes) {
        return line.batch("write", List.<Write>copyOf(writes), store::write);
    }

    @Override
    public List<Optional<StoredRecord>> find(List<Identity> identities) {
        return line.batch("find", identities, store::find);
    }

    @Override
    public Swept sweep(Duration grace, int limit) {
        return one("sweep", s -> s.sweep(grace, limit));
    }

    @Override
    public TakenUp pollAbandoned(TakeUp order) {
        return one("take up", s -> s.pollAbandoned(order));
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
    public WriteAnswer resolve(Resolution resolution) {
        return one("resolve", s -> s.resolve(resolution));
    }

    @Override
    public List<AuditEntry> listAuditTrail(int limit) {
        return one("audit", s -> s.listAuditTrail(limit));
    }

    @Override
    public Erased erase(ErasureOrder order) {
        return one("erase", s -> s.erase(order));
    }

    @Override
    public long countKeys(String scope, long upTo) {
        return one("count", s -> s.countKeys(scope, upTo));
    }

    @Override
    public Census countUnsettled(int limit) {
        return one("census", s -> s.countUnsettled(limit));
    }

    @Override
    public void close() {
        // The line ends with its process.
    }

    private <A> A one(String what, Function<Store, A> call) {
        return line.batch(what, List.of("all"), all -> List.of(call.apply(store)))
                .getFirst();
    }
}
