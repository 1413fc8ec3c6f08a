package dev.refrain.trials.simulation.teeth;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.KeyHash;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordExplanation;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import dev.refrain.store.Store;
import dev.refrain.store.StoredRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Store that keeps records under other identities than requested; a new one has no history. */
class RenamingStore extends MutantStore {

    private final Map<KeyHash, ScopedKey> outer = new HashMap<>();

    RenamingStore(Store store) {
        super(store);
    }

    /** Returns the identity under which the record is kept now. */
    ScopedKey inner(ScopedKey identity) {
        return identity;
    }

    final Set<KeyHash> known() {
        return Set.copyOf(outer.keySet());
    }

    @Override
    ClaimResponse claim(ClaimRequest r) {
        outer.put(r.lookup(), r.identity());
        var inner = inner(r.identity());
        var renamed = new ClaimRequest(
                inner,
                inner.hash(),
                r.fingerprint(),
                r.nonce(),
                r.lease(),
                r.leaseExpiryPolicy(),
                r.retention(),
                r.subject(),
                r.request(),
                r.keptRequest(),
                r.origin());
        return switch (super.claim(renamed)) {
            case ClaimResponse.Acquired a -> new ClaimResponse.Acquired(ForgedRecords.lookup(a.record(), r.lookup()));
            case ClaimResponse.Found f -> new ClaimResponse.Found(ForgedRecords.lookup(f.record(), r.lookup()));
            case ClaimResponse.LockedByTransaction u -> u;
            case ClaimResponse.Failed f -> f;
        };
    }

    @Override
    RecordWriteResponse write(RecordWrite write) {
        var lookup = write.claim().lookup();
        return asOuter(lookup, super.write(ForgedRecords.claim(write, asInner(write.claim()))));
    }

    @Override
    Optional<StoredRecord> find(ScopedKey identity) {
        return super.find(inner(identity)).map(r -> ForgedRecords.lookup(r, identity.hash()));
    }

    @Override
    public Optional<RecordExplanation> explain(ScopedKey identity) {
        return super.explain(inner(identity));
    }

    @Override
    public List<AttentionItem> listAttention(@Nullable AttentionItem after, int limit) {
        return super.listAttention(null, limit).stream()
                .flatMap(item -> outer.values().stream()
                        .filter(o -> inner(o).equals(item.identity()))
                        .limit(1)
                        .map(o -> new AttentionItem(
                                o,
                                new ClaimRef(
                                        o.hash(),
                                        item.claim().id(),
                                        item.claim().fence()),
                                item.reason(),
                                item.since(),
                                item.age(),
                                item.explanation())))
                .toList();
    }

    @Override
    public RecordWriteResponse resolve(Resolution r) {
        return asOuter(
                r.claim().lookup(), super.resolve(new Resolution(asInner(r.claim()), r.verdict(), r.who(), r.why())));
    }

    private ClaimRef asInner(ClaimRef claim) {
        var identity = outer.get(claim.lookup());
        return identity == null ? claim : new ClaimRef(inner(identity).hash(), claim.id(), claim.fence());
    }

    private static RecordWriteResponse asOuter(KeyHash lookup, RecordWriteResponse answer) {
        return answer instanceof RecordWriteResponse.Refused refused
                ? new RecordWriteResponse.Refused(refused.current().map(r -> ForgedRecords.lookup(r, lookup)))
                : answer;
    }
}
