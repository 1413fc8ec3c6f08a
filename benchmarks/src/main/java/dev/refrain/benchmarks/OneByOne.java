package dev.refrain.benchmarks;

import dev.refrain.key.Identity;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.Erased;
import dev.refrain.store.ErasureOrder;
import dev.refrain.store.Resolution;
import dev.refrain.store.Store;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.Swept;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A store that is asked for one row at a time, whatever the batch: the same in all but batching. */
record OneByOne(Store store) implements Store {

    @Override
    public StoreTraits traits() {
        return store.traits();
    }

    @Override
    public List<ClaimAnswer> claim(List<ClaimRequest> requests) {
        return requests.stream()
                .map(request -> store.claim(List.of(request)).getFirst())
                .toList();
    }

    @Override
    public List<WriteAnswer> write(List<? extends Write> writes) {
        return writes.stream()
                .map(write -> store.write(List.of(write)).getFirst())
                .toList();
    }

    @Override
    public List<Optional<StoredRecord>> find(List<Identity> identities) {
        return identities.stream()
                .map(identity -> store.find(List.of(identity)).getFirst())
                .toList();
    }

    @Override
    public Swept sweep(Duration grace, int limit) {
        return store.sweep(grace, limit);
    }

    @Override
    public int reap(int limit) {
        return store.reap(limit);
    }

    @Override
    public List<AttentionItem> attention(Optional<AttentionItem> after, int limit) {
        return store.attention(after, limit);
    }

    @Override
    public WriteAnswer resolve(Resolution resolution) {
        return store.resolve(resolution);
    }

    @Override
    public List<AuditEntry> audit(int limit) {
        return store.audit(limit);
    }

    @Override
    public Erased erase(ErasureOrder order) {
        return store.erase(order);
    }

    @Override
    public long count(String scope, long upTo) {
        return store.count(scope, upTo);
    }

    @Override
    public void close() {
        store.close();
    }
}
