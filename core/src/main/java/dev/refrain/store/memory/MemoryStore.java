package dev.refrain.store.memory;

import dev.refrain.api.KeyHash;
import dev.refrain.api.Payload;
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
import dev.refrain.store.KeptRequestReader;
import dev.refrain.store.RecordCounter;
import dev.refrain.store.RecordEraser;
import dev.refrain.store.RecordExplanation;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import dev.refrain.store.Store;
import dev.refrain.store.StoreClock;
import dev.refrain.store.StoreLimits;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.SweepResult;
import dev.refrain.store.UnfinishedRecord;
import dev.refrain.store.UnsettledCounts;
import dev.refrain.store.cas.MutableRecord;
import dev.refrain.store.cas.RecordDecisions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * In-memory reference store: the shortest correct implementation of a store, for tests and for reading beside {@link Store}.
 *
 * <p>Correct but not durable: not for production. Thread-safe by one lock. Its clock is injected.
 */
public final class MemoryStore
        implements Store, CompletionQueue, RecordEraser, AuditTrailReader, RecordCounter, KeptRequestReader {

    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final TreeMap<KeyHash, MutableRecord> records = new TreeMap<>();
    private final OperationSteps steps = new OperationSteps();
    private final MemoryClockNotes clockNotes = new MemoryClockNotes(this::lookAtTheClock);
    private final List<AuditEntry> audit = new ArrayList<>();

    public MemoryStore() {
        this(InstantSource.system());
    }

    public MemoryStore(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public StoreTraits traits() {
        return new StoreTraits("memory", true, false, StoreClock.STORE, StoreLimits.DEFAULT);
    }

    @Override
    public List<ClaimResponse> claim(List<ClaimRequest> requests) {
        return locked(() -> requests.stream().map(this::claimOne).toList());
    }

    private void requireOwnLookup(KeyHash lookup, ScopedKey identity) {
        var record = records.get(lookup);
        if (record != null && !record.expired(clock.instant()) && record.isOfAnother(identity)) {
            throw RecordDecisions.collision(identity);
        }
    }

    private ClaimResponse claimOne(ClaimRequest request) {
        steps.learn(request.origin());
        var decision =
                RecordDecisions.claim(records.get(request.lookup()), request, clockNotes, steps::of, clock.instant());
        decision.changed().ifPresent(record -> records.put(record.lookup(), record));
        return decision.answer();
    }

    @Override
    public List<RecordWriteResponse> write(List<? extends RecordWrite> writes) {
        return locked(() -> writes.stream().map(this::writeOne).toList());
    }

    private RecordWriteResponse writeOne(RecordWrite write) {
        return RecordDecisions.write(records.get(write.claim().lookup()), write, clock.instant())
                .answer();
    }

    @Override
    public List<Optional<StoredRecord>> find(List<ScopedKey> identities) {
        return locked(() -> {
            Instant now = clock.instant();
            identities.forEach(identity -> requireOwnLookup(identity.hash(), identity));
            return identities.stream().map(identity -> findOne(identity, now)).toList();
        });
    }

    private Optional<StoredRecord> findOne(ScopedKey identity, Instant now) {
        return RecordDecisions.present(records.get(identity.hash()), now);
    }

    @Override
    public void addSteps(ClaimOrigin origin) {
        locked(() -> {
            steps.learn(origin);
            return origin;
        });
    }

    @Override
    public Optional<RecordExplanation> explain(ScopedKey identity) {
        return locked(() -> {
            Instant now = clock.instant();
            requireOwnLookup(identity.hash(), identity);
            return Optional.ofNullable(records.get(identity.hash()))
                    .filter(record -> record.identity().isPresent() && !record.expired(now))
                    .map(record -> record.explain(steps::of, now));
        });
    }

    @Override
    public Optional<Payload> readKeptRequest(ScopedKey identity) {
        return locked(() -> {
            requireOwnLookup(identity.hash(), identity);
            return Optional.ofNullable(records.get(identity.hash())).flatMap(MutableRecord::keptRequest);
        });
    }

    @Override
    public SweepResult sweep(Duration grace, int limit) {
        return locked(() -> {
            Instant now = clock.instant();
            lookAtTheClock(now);
            var due = records.values().stream()
                    .filter(r -> r.state() == RecordState.IN_PROGRESS && r.leaseEnded(grace, now))
                    .limit(limit)
                    .toList();
            var held = due.stream().filter(r -> r.isHeld()).toList();
            held.forEach(r -> r.hold(steps::of, now));
            due.stream().filter(r -> !r.isHeld()).forEach(r -> r.sweep(now));
            return new SweepResult(
                    due.size() - held.size(),
                    held.size(),
                    due.size() == limit,
                    held.stream()
                            .limit(SweepResult.MAX_LISTED)
                            .map(MutableRecord::escalated)
                            .toList());
        });
    }

    private void lookAtTheClock(Instant now) {
        var setBack = clockNotes.take(now);
        records.values().forEach(r -> r.hasten(setBack, now));
    }

    @Override
    public AbandonedRecordPage pollAbandoned(AbandonedRecordSearch order) {
        return locked(() -> {
            Instant now = clock.instant();
            lookAtTheClock(now);
            var due = records.values().stream()
                    .filter(r -> r.due(order.namespace(), now))
                    .sorted(Comparator.comparing(r -> r.dueAt()))
                    .limit(order.limit())
                    .toList();
            var waiting =
                    due.stream().filter(r -> r.state() == RecordState.ATTENTION).collect(Collectors.toSet());
            var taken =
                    due.stream().flatMap(r -> r.takenUp(order, now).stream()).toList();
            var held = due.stream()
                    .filter(r -> r.state() == RecordState.ATTENTION && !waiting.contains(r))
                    .map(MutableRecord::escalated)
                    .toList();
            return new AbandonedRecordPage(taken, held.size(), due.size() == order.limit(), held);
        });
    }

    @Override
    public void uncountAttempt(AbandonedRecord unattempted) {
        locked(() -> {
            records.values().stream()
                    .filter(r -> r.id().equals(unattempted.id()))
                    .forEach(r -> r.uncountAttempt(unattempted.attempt()));
            return unattempted;
        });
    }

    @Override
    public List<UnfinishedRecord> listUnfinished(String namespace, Duration longerThan, int limit) {
        return locked(() -> {
            Instant now = clock.instant();
            return records.values().stream()
                    .filter(r -> r.unfinishedIn(namespace, now) && r.age(now).compareTo(longerThan) > 0)
                    .sorted(Comparator.<MutableRecord, Duration>comparing(r -> r.age(now))
                            .reversed())
                    .limit(limit)
                    .map(r -> r.unfinished(steps::of, now))
                    .toList();
        });
    }

    @Override
    public int reap(int limit) {
        return locked(() -> {
            Instant now = clock.instant();
            var expired = records.values().stream()
                    .filter(r -> r.expired(now))
                    .limit(limit)
                    .map(MutableRecord::lookup)
                    .toList();
            expired.forEach(records::remove);
            return expired.size();
        });
    }

    @Override
    public List<AttentionItem> listAttention(@Nullable AttentionItem after, int limit) {
        return locked(() -> {
            Instant now = clock.instant();
            var order = Comparator.comparing(AttentionItem::since)
                    .thenComparing(i -> i.claim().lookup());
            return records.values().stream()
                    .filter(r -> r.state() == RecordState.ATTENTION)
                    .map(r -> r.attentionItem(steps::of, now))
                    .sorted(order)
                    .filter(i -> after == null || order.compare(i, after) > 0)
                    .limit(limit)
                    .toList();
        });
    }

    @Override
    public RecordWriteResponse resolve(Resolution resolution) {
        return locked(() -> {
            Instant now = clock.instant();
            var record = records.get(resolution.claim().lookup());
            if (record == null || !RecordDecisions.awaits(record, resolution)) {
                return new RecordWriteResponse.Refused(RecordDecisions.present(record, now));
            }
            String action = record.decide(resolution.verdict(), now);
            audit.addFirst(new AuditEntry(now, action, record.id().toString(), resolution.who(), resolution.why()));
            return new RecordWriteResponse.Written();
        });
    }

    @Override
    public List<AuditEntry> listAuditTrail(int limit) {
        return locked(() -> audit.stream().limit(limit).toList());
    }

    @Override
    public ErasureResult erase(ErasureRequest order) {
        return locked(() -> {
            Instant now = clock.instant();
            var concerned = records.values().stream()
                    .filter(r -> r.concerns(order.target()))
                    .toList();
            var settled = concerned.stream()
                    .filter(r -> r.isSettled())
                    .limit(order.limit())
                    .toList();
            long inUse = concerned.stream().filter(r -> !r.isSettled()).count();
            settled.forEach(MutableRecord::erase);
            concerned.forEach(MutableRecord::eraseKeptRequest);
            audit.addFirst(new AuditEntry(
                    now, "erase", settled.size() + " records, " + inUse + " left in use", order.who(), order.why()));
            return new ErasureResult(settled.size(), (int) inUse, settled.size() == order.limit());
        });
    }

    @Override
    public long countKeys(String scope, long upTo) {
        var any = ScopedKey.anyHashOfScope(scope);
        return locked(() -> records.subMap(any.firstOfScope(), true, any.lastOfScope(), true).values().stream()
                .filter(r -> r.identity().filter(i -> i.scope().equals(scope)).isPresent())
                .limit(upTo)
                .count());
    }

    @Override
    public UnsettledCounts countUnsettled(int limit) {
        return locked(() -> {
            Instant now = clock.instant();
            var running = inState(RecordState.IN_PROGRESS, limit);
            var attention = inState(RecordState.ATTENTION, limit);
            var expired = records.values().stream()
                    .filter(r -> r.expired(now))
                    .limit(limit)
                    .toList();
            return new UnsettledCounts(
                    running.size(),
                    running.stream()
                            .filter(r -> r.leaseEnded(Duration.ZERO, now))
                            .count(),
                    attention.size(),
                    running.stream().map(r -> r.age(now)).max(Comparator.naturalOrder()),
                    expired.size(),
                    expired.stream().map(r -> r.expiredFor(now)).max(Comparator.naturalOrder()),
                    running.size() == limit || attention.size() == limit || expired.size() == limit);
        });
    }

    private List<MutableRecord> inState(RecordState state, int limit) {
        return records.values().stream()
                .filter(r -> r.state() == state)
                .limit(limit)
                .toList();
    }

    @Override
    public void close() {
        // Nothing to release: callers that still hold this store may continue to read it.
    }

    private <T> T locked(Supplier<T> body) {
        lock.lock();
        try {
            return body.get();
        } finally {
            lock.unlock();
        }
    }
}
