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
import dev.refrain.trials.simulation.law.Deed;
import dev.refrain.trials.simulation.law.Seen;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** The shared store as one process reaches it: every call is one step of the world, and is looked at. */
record ObservedStore(Store store, Eyes eyes, Database database, String process) implements Store {

    @Override
    public StoreTraits traits() {
        return store.traits();
    }

    @Override
    public List<ClaimAnswer> claim(List<ClaimRequest> requests) {
        var lookups = requests.stream().map(ClaimRequest::lookup).toList();
        eyes.batch(process, lookups);
        database.requireNoRowLocked(lookups);
        return watch(
                requests.stream().map(ClaimRequest::identity).toList(),
                () -> store.claim(requests),
                answers -> i -> new Deed.Claimed(requests.get(i), answers.get(i)));
    }

    @Override
    public List<WriteAnswer> write(List<? extends Write> writes) {
        var lookups = writes.stream().map(w -> w.claim().lookup()).toList();
        eyes.batch(process, lookups);
        database.requireNoRowLocked(lookups);
        return watch(
                lookups.stream().map(eyes::identity).toList(),
                () -> store.write(writes),
                answers -> i -> new Deed.Wrote(writes.get(i), answers.get(i)));
    }

    @Override
    public List<Optional<StoredRecord>> find(List<Identity> identities) {
        eyes.batch(process, identities.stream().map(Identity::hash).toList());
        return watch(identities, () -> store.find(identities), answers -> i -> new Deed.Read());
    }

    @Override
    public Swept sweep(Duration grace, int limit) {
        var swept = store.sweep(grace, limit);
        if (swept.released() + swept.toAttention() > 0) {
            eyes.afterAll(process, new Deed.Swept(grace));
        }
        return swept;
    }

    @Override
    public TakenUp pollAbandoned(TakeUp order) {
        var taken = store.pollAbandoned(order);
        if (!taken.abandoned().isEmpty() || taken.toAttention() > 0) {
            eyes.afterAll(process, new Deed.TakenUp(order, taken));
        }
        return taken;
    }

    @Override
    public int reap(int limit) {
        int reaped = store.reap(limit);
        if (reaped > 0) {
            eyes.afterAll(process, new Deed.Reaped());
        }
        return reaped;
    }

    @Override
    public List<AttentionItem> listAttention(Optional<AttentionItem> after, int limit) {
        return store.listAttention(after, limit);
    }

    @Override
    public WriteAnswer resolve(Resolution resolution) {
        return watch(
                List.of(eyes.identity(resolution.claim().lookup())),
                () -> store.resolve(resolution),
                answer -> i -> new Deed.Resolved(resolution, answer));
    }

    @Override
    public List<AuditEntry> listAuditTrail(int limit) {
        return store.listAuditTrail(limit);
    }

    @Override
    public Erased erase(ErasureOrder order) {
        var erased = store.erase(order);
        if (erased.erased() > 0) {
            eyes.afterAll(process, new Deed.Erased());
        }
        return erased;
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
        // Shared: it outlives every process.
    }

    /** How a question's place in the batch tells what was done. */
    private interface Telling<A> {
        IntFunction<Deed> of(A answer);
    }

    private <A> A watch(List<Identity> identities, Supplier<A> call, Telling<A> telling) {
        List<Optional<Seen>> before = identities.stream()
                .map(identity -> eyes.before(process, identity))
                .toList();
        var answer = call.get();
        var deeds = telling.of(answer);
        for (int i = 0; i < identities.size(); i++) {
            eyes.after(process, identities.get(i), before.get(i), deeds.apply(i));
        }
        return answer;
    }
}
