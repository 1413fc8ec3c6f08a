package dev.refrain.store.memory;

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
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.State;
import dev.refrain.store.Store;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.Swept;
import dev.refrain.store.TakeOver;
import dev.refrain.store.TakeUp;
import dev.refrain.store.TakenUp;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
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
import org.jspecify.annotations.Nullable;

/**
 * The reference store: the shortest correct telling of what a store does, for tests and for reading beside {@link Store}.
 *
 * <p>Correct, and gone with its process: not for production. Thread-safe by one lock. Its clock is injected.
 */
public final class MemoryStore implements Store {

    private static final String LEASE_ENDED = "Its lease ended and nobody completed it.";

    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final TreeMap<Lookup, MemoryRecord> records = new TreeMap<>();
    private final List<AuditEntry> audit = new ArrayList<>();

    public MemoryStore() {
        this(InstantSource.system());
    }

    public MemoryStore(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public StoreTraits traits() {
        return new StoreTraits("memory", true, false);
    }

    @Override
    public List<ClaimAnswer> claim(List<ClaimRequest> requests) {
        return locked(() -> {
            requests.forEach(request -> requireOwnLookup(request.lookup(), request.identity()));
            return requests.stream().map(this::claimOne).toList();
        });
    }

    private void requireOwnLookup(Lookup lookup, Identity identity) {
        var record = records.get(lookup);
        if (record != null && !record.expired(clock.instant()) && record.isOfAnother(identity)) {
            throw RowRejectedException.badData(
                    "Another identity has the lookup of " + identity + "; use another key.",
                    new IllegalArgumentException("lookup collision at " + lookup));
        }
    }

    private ClaimAnswer claimOne(ClaimRequest request) {
        Instant now = clock.instant();
        var record = records.get(request.lookup());
        if (record == null || record.expired(now)) {
            var made = new MemoryRecord(request, now);
            records.put(request.lookup(), made);
            return new ClaimAnswer.Acquired(made.seen(now));
        }
        boolean alike =
                record.fingerprint.map(f -> f.equals(request.fingerprint())).orElse(record.state == State.RELEASED);
        boolean leaseOver = record.state == State.IN_PROGRESS && !now.isBefore(record.leaseUntil);
        boolean mine = record.owner.equals(request.nonce());
        if (mine && record.state == State.IN_PROGRESS && !leaseOver) {
            return new ClaimAnswer.Acquired(record.seen(now));
        }
        if (mine || !alike) {
            return new ClaimAnswer.Found(record.seen(now));
        }
        if (leaseOver && record.takeOver == TakeOver.HOLD) {
            record.escalate(LEASE_ENDED, now);
        } else if (leaseOver || record.state == State.RELEASED) {
            record.takeOver(request, now);
            return new ClaimAnswer.Acquired(record.seen(now));
        }
        return new ClaimAnswer.Found(record.seen(now));
    }

    @Override
    public List<WriteAnswer> write(List<? extends Write> writes) {
        return locked(() -> writes.stream().map(this::writeOne).toList());
    }

    private WriteAnswer writeOne(Write write) {
        Instant now = clock.instant();
        var record = records.get(write.claim().lookup());
        if (record == null || record.expired(now) || !record.claim().equals(write.claim())) {
            return new WriteAnswer.Refused(current(record, now));
        }
        boolean open = record.state == State.IN_PROGRESS
                || (record.state == State.ATTENTION && write instanceof Write.Complete);
        if (!open) {
            return WriteAnswer.forUnchanged(write, current(record, now));
        }
        switch (write) {
            case Write.Complete complete -> record.complete(complete, now);
            case Write.Release release -> record.release(release.retryDelay(), now);
            case Write.Escalate escalate -> record.escalate(escalate.reason(), now);
            case Write.Checkpoint checkpoint -> record.checkpoint(checkpoint, now);
            case Write.Renew renew -> record.leaseUntil = now.plus(renew.lease());
        }
        return new WriteAnswer.Written();
    }

    private static Optional<StoredRecord> current(@Nullable MemoryRecord record, Instant now) {
        return Optional.ofNullable(record).filter(r -> !r.expired(now)).map(r -> r.seen(now));
    }

    @Override
    public List<Optional<StoredRecord>> find(List<Identity> identities) {
        return locked(() -> {
            Instant now = clock.instant();
            identities.forEach(identity -> requireOwnLookup(identity.hash(), identity));
            return identities.stream().map(identity -> findOne(identity, now)).toList();
        });
    }

    private Optional<StoredRecord> findOne(Identity identity, Instant now) {
        return Optional.ofNullable(records.get(identity.hash()))
                .filter(record -> !record.expired(now))
                .map(record -> record.seen(now));
    }

    @Override
    public Swept sweep(Duration grace, int limit) {
        return locked(() -> {
            Instant now = clock.instant();
            var due = records.values().stream()
                    .filter(r -> r.state == State.IN_PROGRESS
                            && !r.leaseUntil.plus(grace).isAfter(now))
                    .limit(limit)
                    .toList();
            int held = 0;
            for (var record : due) {
                if (record.takeOver == TakeOver.HOLD) {
                    record.escalate(LEASE_ENDED, now);
                    held++;
                } else {
                    record.state = State.RELEASED;
                }
            }
            return new Swept(due.size() - held, held, due.size() == limit);
        });
    }

    @Override
    public TakenUp pollAbandoned(TakeUp order) {
        return locked(() -> {
            Instant now = clock.instant();
            var due = records.values().stream()
                    .filter(r -> r.due(order.namespace(), now))
                    .sorted(Comparator.comparing(r -> r.dueAt))
                    .limit(order.limit())
                    .toList();
            var waiting = due.stream().filter(r -> r.state == State.ATTENTION).count();
            var taken =
                    due.stream().flatMap(r -> r.takenUp(order, now).stream()).toList();
            var held = due.stream().filter(r -> r.state == State.ATTENTION).count() - waiting;
            return new TakenUp(taken, (int) held, due.size() == order.limit());
        });
    }

    @Override
    public int reap(int limit) {
        return locked(() -> {
            Instant now = clock.instant();
            var expired = records.values().stream()
                    .filter(r -> r.expired(now))
                    .limit(limit)
                    .map(r -> r.lookup)
                    .toList();
            expired.forEach(records::remove);
            return expired.size();
        });
    }

    @Override
    public List<AttentionItem> listAttention(Optional<AttentionItem> after, int limit) {
        return locked(() -> {
            Instant now = clock.instant();
            var order = Comparator.comparing(AttentionItem::since)
                    .thenComparing(i -> i.claim().lookup());
            return records.values().stream()
                    .filter(r -> r.state == State.ATTENTION)
                    .map(r -> r.attentionItem(now))
                    .sorted(order)
                    .filter(i -> after.isEmpty() || order.compare(i, after.get()) > 0)
                    .limit(limit)
                    .toList();
        });
    }

    @Override
    public WriteAnswer resolve(Resolution resolution) {
        return locked(() -> {
            Instant now = clock.instant();
            var record = records.get(resolution.claim().lookup());
            if (record == null
                    || record.state != State.ATTENTION
                    || !record.claim().equals(resolution.claim())) {
                return new WriteAnswer.Refused(current(record, now));
            }
            String action;
            switch (resolution.verdict()) {
                case Resolution.Done done -> {
                    record.complete(new Write.Complete(record.claim(), done.outcome(), done.retention()), now);
                    action = "resolve: completed";
                }
                case Resolution.RunAgain again -> {
                    record.runAgain(now);
                    action = "resolve: released";
                }
            }
            record.fence++;
            audit.addFirst(new AuditEntry(now, action, record.id.toString(), resolution.who(), resolution.why()));
            return new WriteAnswer.Written();
        });
    }

    @Override
    public List<AuditEntry> listAuditTrail(int limit) {
        return locked(() -> audit.stream().limit(limit).toList());
    }

    @Override
    public Erased erase(ErasureOrder order) {
        return locked(() -> {
            Instant now = clock.instant();
            var concerned = records.values().stream()
                    .filter(r -> r.concerns(order.target()))
                    .toList();
            var settled = concerned.stream()
                    .filter(r -> r.settled(now))
                    .limit(order.limit())
                    .toList();
            long inUse = concerned.stream().filter(r -> !r.settled(now)).count();
            settled.forEach(MemoryRecord::erase);
            audit.addFirst(new AuditEntry(
                    now, "erase", settled.size() + " records, " + inUse + " left in use", order.who(), order.why()));
            return new Erased(settled.size(), (int) inUse, settled.size() == order.limit());
        });
    }

    @Override
    public long countKeys(String scope, long upTo) {
        var any = Identity.anyHashOfScope(scope);
        return locked(() -> records.subMap(any.firstOfScope(), true, any.lastOfScope(), true).values().stream()
                .filter(r -> r.identity.filter(i -> i.scope().equals(scope)).isPresent())
                .limit(upTo)
                .count());
    }

    @Override
    public Census countUnsettled(int limit) {
        return locked(() -> {
            Instant now = clock.instant();
            var running = inState(State.IN_PROGRESS, limit);
            var attention = inState(State.ATTENTION, limit);
            return new Census(
                    running.size(),
                    running.stream().filter(r -> !now.isBefore(r.leaseUntil)).count(),
                    attention.size(),
                    running.stream().map(r -> r.age(now)).max(Comparator.naturalOrder()),
                    running.size() == limit || attention.size() == limit);
        });
    }

    private List<MemoryRecord> inState(State state, int limit) {
        return records.values().stream()
                .filter(r -> r.state == state)
                .limit(limit)
                .toList();
    }

    @Override
    public void close() {
        // Nothing to give back: whoever still holds this store may go on reading it.
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
