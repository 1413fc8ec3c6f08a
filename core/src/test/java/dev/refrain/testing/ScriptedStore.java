package dev.refrain.testing;

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
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.Swept;
import dev.refrain.store.TakeUp;
import dev.refrain.store.TakenUp;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * A real store behind a door that a test controls: what is asked can fail, be delayed, or have its reply lost. Remembers
 * what was asked.
 */
public final class ScriptedStore implements Store {

    public enum Verb {
        CLAIM,
        WRITE,
        RENEW,
        FIND,
        SWEEP,
        REAP,
        RESOLVE,
        ERASE,
        COUNT,
        CENSUS
    }

    /** What happens to one call. */
    @FunctionalInterface
    public interface Rule {
        Object apply(List<?> rows, Supplier<Object> real);
    }

    private final Store real;
    private final Map<Verb, Queue<Rule>> once = new EnumMap<>(Verb.class);
    private final Map<Verb, Rule> always = new EnumMap<>(Verb.class);
    private final Map<Verb, List<List<?>>> asked = new EnumMap<>(Verb.class);
    private volatile Optional<StoreTraits> traits = Optional.empty();

    public ScriptedStore(Store real) {
        this.real = real;
        for (var verb : Verb.values()) {
            once.put(verb, new ArrayDeque<>());
            asked.put(verb, new CopyOnWriteArrayList<>());
        }
    }

    /** Each rule for one call, in order; then it is as it always is. */
    public synchronized void next(Verb verb, Rule... rules) {
        once.get(verb).addAll(List.of(rules));
    }

    public synchronized void always(Verb verb, Rule rule) {
        always.put(verb, rule);
    }

    public synchronized void heal() {
        always.clear();
        once.values().forEach(Queue::clear);
    }

    public void promise(StoreTraits other) {
        traits = Optional.of(other);
    }

    /** The batches that were asked, in order. */
    public List<List<?>> asked(Verb verb) {
        return List.copyOf(asked.get(verb));
    }

    /** Nobody answers, and nothing happened. */
    public static Rule away() {
        return (rows, call) -> {
            throw StoreException.unavailable("The store is away.", Effect.NONE, null);
        };
    }

    /** It happens, and the reply is lost. */
    public static Rule replyLost() {
        return (rows, call) -> {
            var lost = call.get();
            throw StoreException.unavailable("The reply was lost: " + lost, Effect.UNKNOWN, null);
        };
    }

    /** It does not happen, and nobody can tell. */
    public static Rule requestLost() {
        return (rows, call) -> {
            throw StoreException.unavailable("The connection was lost.", Effect.UNKNOWN, null);
        };
    }

    /** The store says no, and would say so again. */
    public static Rule refused() {
        return (rows, call) -> {
            throw StoreException.permanent("The store is read-only.", Effect.NONE, null);
        };
    }

    /** The store breaks its contract. */
    public static Rule broken() {
        return (rows, call) -> {
            throw new IllegalStateException("a defect of the store");
        };
    }

    /** It happens once the gate is open. */
    public static Rule held(Gate gate) {
        return (rows, call) -> {
            gate.pass();
            return call.get();
        };
    }

    /** It happens, and the reply comes once the gate is open. */
    public static Rule replyHeld(Gate gate) {
        return (rows, call) -> {
            var reply = call.get();
            gate.pass();
            return reply;
        };
    }

    @SuppressWarnings("unchecked")
    private <T> T call(Verb verb, List<?> rows, Supplier<T> real) {
        asked.get(verb).add(List.copyOf(rows));
        Rule rule;
        synchronized (this) {
            rule = once.get(verb).poll();
            if (rule == null) {
                rule = always.get(verb);
            }
        }
        return rule == null ? real.get() : (T) rule.apply(rows, real::get);
    }

    @Override
    public StoreTraits traits() {
        return traits.orElseGet(real::traits);
    }

    @Override
    public List<ClaimAnswer> claim(List<ClaimRequest> requests) {
        return call(Verb.CLAIM, requests, () -> real.claim(requests));
    }

    @Override
    public List<WriteAnswer> write(List<? extends Write> writes) {
        return call(
                writes.getFirst() instanceof Write.Renew ? Verb.RENEW : Verb.WRITE, writes, () -> real.write(writes));
    }

    @Override
    public List<Optional<StoredRecord>> find(List<Identity> identities) {
        return call(Verb.FIND, identities, () -> real.find(identities));
    }

    @Override
    public Swept sweep(Duration grace, int limit) {
        return call(Verb.SWEEP, List.of(grace), () -> real.sweep(grace, limit));
    }

    @Override
    public TakenUp pollAbandoned(TakeUp order) {
        return real.pollAbandoned(order);
    }

    @Override
    public int reap(int limit) {
        return call(Verb.REAP, List.of(limit), () -> real.reap(limit));
    }

    @Override
    public List<AttentionItem> listAttention(Optional<AttentionItem> after, int limit) {
        return real.listAttention(after, limit);
    }

    @Override
    public WriteAnswer resolve(Resolution resolution) {
        return call(Verb.RESOLVE, List.of(resolution), () -> real.resolve(resolution));
    }

    @Override
    public List<AuditEntry> listAuditTrail(int limit) {
        return real.listAuditTrail(limit);
    }

    @Override
    public Erased erase(ErasureOrder order) {
        return call(Verb.ERASE, List.of(order), () -> real.erase(order));
    }

    @Override
    public long countKeys(String scope, long upTo) {
        return call(Verb.COUNT, List.of(scope), () -> real.countKeys(scope, upTo));
    }

    @Override
    public Census countUnsettled(int limit) {
        return call(Verb.CENSUS, List.of(), () -> real.countUnsettled(limit));
    }

    @Override
    public void close() {
        real.close();
    }
}
