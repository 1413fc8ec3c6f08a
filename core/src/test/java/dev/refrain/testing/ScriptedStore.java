package dev.refrain.testing;

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
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.SweepResult;
import dev.refrain.store.UnfinishedRecord;
import dev.refrain.store.UnsettledCounts;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A real store behind a door that a test controls: what is asked can fail, be delayed, or have its reply lost. Remembers
 * what was asked.
 */
public final class ScriptedStore implements Store, CompletionQueue, RecordEraser, AuditTrailReader, RecordCounter {

    public enum StoreMethod {
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
    public interface CallScript {
        Object apply(List<?> rows, Supplier<Object> real);
    }

    private final Store real;
    private final Map<StoreMethod, Queue<CallScript>> once = new EnumMap<>(StoreMethod.class);
    private final Map<StoreMethod, CallScript> always = new EnumMap<>(StoreMethod.class);
    private final Map<StoreMethod, List<List<?>>> asked = new EnumMap<>(StoreMethod.class);
    private volatile Optional<StoreTraits> traits = Optional.empty();

    public ScriptedStore(Store real) {
        this.real = real;
        for (var verb : StoreMethod.values()) {
            once.put(verb, new ArrayDeque<>());
            asked.put(verb, new CopyOnWriteArrayList<>());
        }
    }

    /** Each rule for one call, in order; then it is as it always is. */
    public synchronized void next(StoreMethod verb, CallScript... rules) {
        once.get(verb).addAll(List.of(rules));
    }

    public synchronized void always(StoreMethod verb, CallScript rule) {
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
    public List<List<?>> asked(StoreMethod verb) {
        return List.copyOf(asked.get(verb));
    }

    /** Nobody answers, and nothing happened. */
    public static CallScript away() {
        return (rows, call) -> {
            throw StoreException.unavailable("The store is away.", Effect.NONE, null);
        };
    }

    /** It happens, and the reply is lost. */
    public static CallScript replyLost() {
        return (rows, call) -> {
            var lost = call.get();
            throw StoreException.unavailable("The reply was lost: " + lost, Effect.UNKNOWN, null);
        };
    }

    /** It does not happen, and nobody can tell. */
    public static CallScript requestLost() {
        return (rows, call) -> {
            throw StoreException.unavailable("The connection was lost.", Effect.UNKNOWN, null);
        };
    }

    /** The store says no, and would say so again. */
    public static CallScript refused() {
        return (rows, call) -> {
            throw StoreException.permanent("The store is read-only.", Effect.NONE, null);
        };
    }

    /** The store breaks its contract. */
    public static CallScript broken() {
        return (rows, call) -> {
            throw new IllegalStateException("a defect of the store");
        };
    }

    /** It happens once the gate is open. */
    public static CallScript held(ThreadGate gate) {
        return (rows, call) -> {
            gate.pass();
            return call.get();
        };
    }

    /** It happens, and the reply comes once the gate is open. */
    public static CallScript replyHeld(ThreadGate gate) {
        return (rows, call) -> {
            var reply = call.get();
            gate.pass();
            return reply;
        };
    }

    @SuppressWarnings("unchecked")
    private <T> T call(StoreMethod verb, List<?> rows, Supplier<T> real) {
        asked.get(verb).add(List.copyOf(rows));
        CallScript rule;
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
    public List<ClaimResponse> claim(List<ClaimRequest> requests) {
        return call(StoreMethod.CLAIM, requests, () -> real.claim(requests));
    }

    @Override
    public List<RecordWriteResponse> write(List<? extends RecordWrite> writes) {
        return call(
                writes.getFirst() instanceof RecordWrite.Renew ? StoreMethod.RENEW : StoreMethod.WRITE,
                writes,
                () -> real.write(writes));
    }

    @Override
    public List<Optional<StoredRecord>> find(List<ScopedKey> identities) {
        return call(StoreMethod.FIND, identities, () -> real.find(identities));
    }

    @Override
    public void addSteps(ClaimOrigin origin) {
        real.addSteps(origin);
    }

    @Override
    public Optional<RecordExplanation> explain(ScopedKey identity) {
        return call(StoreMethod.FIND, List.of(identity), () -> real.explain(identity));
    }

    @Override
    public SweepResult sweep(Duration grace, int limit) {
        return call(StoreMethod.SWEEP, List.of(grace), () -> real.sweep(grace, limit));
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
        return call(StoreMethod.REAP, List.of(limit), () -> real.reap(limit));
    }

    @Override
    public List<AttentionItem> listAttention(@Nullable AttentionItem after, int limit) {
        return real.listAttention(after, limit);
    }

    @Override
    public RecordWriteResponse resolve(Resolution resolution) {
        return call(StoreMethod.RESOLVE, List.of(resolution), () -> real.resolve(resolution));
    }

    @Override
    public List<AuditEntry> listAuditTrail(int limit) {
        return inner(AuditTrailReader.class).listAuditTrail(limit);
    }

    @Override
    public ErasureResult erase(ErasureRequest order) {
        return call(
                StoreMethod.ERASE,
                List.of(order),
                () -> inner(RecordEraser.class).erase(order));
    }

    @Override
    public long countKeys(String scope, long upTo) {
        return call(
                StoreMethod.COUNT,
                List.of(scope),
                () -> inner(RecordCounter.class).countKeys(scope, upTo));
    }

    @Override
    public UnsettledCounts countUnsettled(int limit) {
        return call(
                StoreMethod.CENSUS, List.of(), () -> inner(RecordCounter.class).countUnsettled(limit));
    }

    @Override
    public void close() {
        real.close();
    }

    private <A> A inner(Class<A> ability) {
        return StoreAbility.require(real, ability, "This decorator");
    }
}
