package dev.refrain.trials.simulation.teeth;

import dev.refrain.key.Identity;
import dev.refrain.key.Lookup;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.Resolution;
import dev.refrain.store.Store;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Keeps records under other names than they were asked for; under a new name nothing is known of the old one. */
class Renaming extends Tampered {

    private final Map<Lookup, Identity> outer = new HashMap<>();

    Renaming(Store store) {
        super(store);
    }

    /** The name under which the record is kept now. */
    Identity inner(Identity identity) {
        return identity;
    }

    final Set<Lookup> known() {
        return Set.copyOf(outer.keySet());
    }

    @Override
    ClaimAnswer claim(ClaimRequest r) {
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
                r.request());
        return switch (super.claim(renamed)) {
            case ClaimAnswer.Acquired a -> new ClaimAnswer.Acquired(Forged.lookup(a.record(), r.lookup()));
            case ClaimAnswer.Found f -> new ClaimAnswer.Found(Forged.lookup(f.record(), r.lookup()));
            case ClaimAnswer.Unseen u -> u;
        };
    }

    @Override
    WriteAnswer write(Write write) {
        var lookup = write.claim().lookup();
        return asOuter(lookup, super.write(Forged.claim(write, asInner(write.claim()))));
    }

    @Override
    Optional<StoredRecord> find(Identity identity) {
        return super.find(inner(identity)).map(r -> Forged.lookup(r, identity.hash()));
    }

    @Override
    public List<AttentionItem> listAttention(Optional<AttentionItem> after, int limit) {
        return super.listAttention(Optional.empty(), limit).stream()
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
                                item.age())))
                .toList();
    }

    @Override
    public WriteAnswer resolve(Resolution r) {
        return asOuter(
                r.claim().lookup(), super.resolve(new Resolution(asInner(r.claim()), r.verdict(), r.who(), r.why())));
    }

    private ClaimRef asInner(ClaimRef claim) {
        var identity = outer.get(claim.lookup());
        return identity == null ? claim : new ClaimRef(inner(identity).hash(), claim.id(), claim.fence());
    }

    private static WriteAnswer asOuter(Lookup lookup, WriteAnswer answer) {
        return answer instanceof WriteAnswer.Refused refused
                ? new WriteAnswer.Refused(refused.current().map(r -> Forged.lookup(r, lookup)))
                : answer;
    }
}
