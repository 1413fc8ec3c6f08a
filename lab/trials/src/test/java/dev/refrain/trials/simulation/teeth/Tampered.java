package dev.refrain.trials.simulation.teeth;

import dev.refrain.key.Identity;
import dev.refrain.key.Lookup;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A store that does everything right, for others to do one thing wrong. */
abstract class Tampered implements Store {

    final Store store;
    private final Map<Lookup, Identity> identities = new HashMap<>();

    Tampered(Store store) {
        this.store = store;
    }

    /** What is really there. */
    final Optional<StoredRecord> truth(Lookup lookup) {
        var identity = identities.get(lookup);
        return identity == null
                ? Optional.empty()
                : store.find(List.of(identity)).getFirst();
    }

    /** All that anyone asked for. */
    final List<Identity> asked() {
        return List.copyOf(identities.values());
    }

    ClaimAnswer claim(ClaimRequest request) {
        return store.claim(List.of(request)).getFirst();
    }

    WriteAnswer write(Write write) {
        return store.write(List.of(write)).getFirst();
    }

    Optional<StoredRecord> find(Identity identity) {
        return store.find(List.of(identity)).getFirst();
    }

    @Override
    public final List<ClaimAnswer> claim(List<ClaimRequest> requests) {
        requests.forEach(r -> identities.put(r.lookup(), r.identity()));
        return requests.stream().map(this::claim).toList();
    }

    @Override
    public final List<WriteAnswer> write(List<? extends Write> writes) {
        return writes.stream().map(this::write).toList();
    }

    @Override
    public final List<Optional<StoredRecord>> find(List<Identity> asked) {
        return asked.stream().map(this::find).toList();
    }

    @Override
    public StoreTraits traits() {
        return store.traits();
    }

    @Override
    public Swept sweep(Duration grace, int limit) {
        return store.sweep(grace, limit);
    }

    @Override
    public TakenUp pollAbandoned(TakeUp order) {
        return store.pollAbandoned(order);
    }

    @Override
    public int reap(int limit) {
        return store.reap(limit);
    }

    @Override
    public List<AttentionItem> listAttention(Optional<AttentionItem> after, int limit) {
        return store.listAttention(after, limit);
    }

    @Override
    public WriteAnswer resolve(Resolution resolution) {
        return store.resolve(resolution);
    }

    @Override
    public List<AuditEntry> listAuditTrail(int limit) {
        return store.listAuditTrail(limit);
    }

    @Override
    public Erased erase(ErasureOrder order) {
        return store.erase(order);
    }

    @Override
    public long countKeys(String scope, long upTo) {
        return store.countKeys(scope, upTo);
    }

    @Override
    public Census countUnsettled(int limit) {
        return store.countUnsettled(limit);
    }

    @Override
    public void close() {
        store.close();
    }
}
