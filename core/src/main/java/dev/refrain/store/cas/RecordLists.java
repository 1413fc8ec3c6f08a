package dev.refrain.store.cas;

import dev.refrain.api.KeyHash;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.ErasureResult;
import dev.refrain.store.EscalatedRecord;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.SweepResult;
import dev.refrain.store.UnsettledCounts;
import dev.refrain.store.cas.RecordAccess.Change;
import dev.refrain.store.cas.RecordAccess.SeenRow;
import dev.refrain.store.cas.RecordDecisions.Decision;
import dev.refrain.store.cas.RecordRow.RecordList;
import dev.refrain.store.cas.RecordTable.ConditionalPut;
import dev.refrain.store.cas.RecordTable.ListPosition;
import dev.refrain.store.cas.RecordTable.TableReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Work of the sweeper and of people, which begins at lists. A list proposes records, and each record itself decides. Thread-safe. */
final class RecordLists {

    private static final int ROUNDS = 10;

    private final RecordTable table;
    private final RecordAccess access;
    private final Function<String, List<String>> steps;
    private final AtomicReference<@Nullable ListPosition> sweptTo = new AtomicReference<>();

    RecordLists(RecordTable table, RecordAccess access, Function<String, List<String>> steps) {
        this.table = table;
        this.access = access;
        this.steps = steps;
    }

    /** Looks at records in progress, which is how this handle comes to know their leases, and settles those whose lease has ended. */
    SweepResult sweep(Duration grace, int limit) {
        var page = table.list(RecordList.RUNNING, sweptTo.get(), limit);
        sweptTo.set(page.more() ? page.entries().getLast() : null);
        var lookups = page.entries().stream().map(ListPosition::lookup).toList();
        var left = new Swept(SweptKind.LEFT, Optional.empty());
        var swept = new ArrayList<Swept>();
        var failures = new ArrayList<StoreException>();
        for (var result : changeEach(lookups, record -> swept(record, grace), left)) {
            result.answer.ifPresentOrElse(swept::add, () -> result.failure.ifPresent(failures::add));
        }
        if (swept.isEmpty() && !failures.isEmpty()) {
            throw failures.getFirst();
        }
        var held = swept.stream()
                .filter(result -> result.kind == SweptKind.HELD)
                .flatMap(result -> result.escalated.stream())
                .toList();
        int released = (int) swept.stream()
                .filter(result -> result.kind == SweptKind.RELEASED)
                .count();
        return new SweepResult(
                released,
                held.size(),
                page.more(),
                held.stream().limit(SweepResult.MAX_LISTED).toList());
    }

    private enum SweptKind {
        LEFT,
        RELEASED,
        HELD
    }

    private record Swept(SweptKind kind, Optional<EscalatedRecord> escalated) {}

    private Decision<Swept> swept(MutableRecord record, Duration grace) {
        var now = access.now();
        if (record.state != RecordState.IN_PROGRESS || !record.leaseEnded(grace, now)) {
            return new Decision<>(new Swept(SweptKind.LEFT, Optional.empty()), Optional.empty());
        }
        if (record.isHeld()) {
            record.hold(steps, now);
            return new Decision<>(new Swept(SweptKind.HELD, Optional.of(record.escalated())), Optional.of(record));
        }
        record.sweep(now);
        return new Decision<>(new Swept(SweptKind.RELEASED, Optional.empty()), Optional.of(record));
    }

    /** Answer about one record, or the failure to change it. */
    private record Result<A>(Optional<A> answer, Optional<StoreException> failure) {

        A orThrow() {
            failure.ifPresent(why -> {
                throw why;
            });
            return answer.orElseThrow();
        }
    }

    /** Changes each record for itself; what is gone, or in a format of a later version, is answered by {@code nothing}. */
    private <A> List<Result<A>> changeEach(
            List<KeyHash> lookups, Function<MutableRecord, Decision<A>> decision, A nothing) {
        var changes = new ArrayList<Change<Result<A>>>();
        var failures = new ArrayList<Result<A>>();
        var read = access.readEach(lookups);
        for (int i = 0; i < read.size(); i++) {
            var failure = read.get(i).failure();
            if (failure != null) {
                failures.add(new Result<>(Optional.empty(), Optional.of(failure)));
            } else {
                changes.add(new ListedChange<>(lookups.get(i), read.get(i).row(), decision, nothing));
            }
        }
        var results = new ArrayList<>(access.applyAll(changes));
        results.addAll(failures);
        return results;
    }

    private final class ListedChange<A> extends Change<Result<A>> {

        private final Function<MutableRecord, Decision<A>> decision;
        private final A nothing;

        ListedChange(KeyHash lookup, @Nullable SeenRow row, Function<MutableRecord, Decision<A>> decision, A nothing) {
            super(lookup, row);
            this.decision = decision;
            this.nothing = nothing;
        }

        @Override
        Decision<Result<A>> decide(@Nullable SeenRow current) {
            if (current == null || !RecordEncoding.isReadable(current.values())) {
                return new Decision<>(new Result<>(Optional.of(nothing), Optional.empty()), Optional.empty());
            }
            var record = Objects.requireNonNull(access.read(lookup, current, access.now()));
            var decided = decision.apply(record);
            return new Decision<>(new Result<>(Optional.of(decided.answer()), Optional.empty()), decided.changed());
        }

        @Override
        Result<A> failed(StoreException failure) {
            return new Result<>(Optional.empty(), Optional.of(failure));
        }
    }

    /** The list may name what is settled by now, so it is read on until the page is full. */
    List<AttentionItem> attention(@Nullable AttentionItem after, int limit) {
        var items = new ArrayList<AttentionItem>();
        var position = after == null ? null : new ListPosition(after.claim().lookup(), after.since());
        boolean more = true;
        while (more && items.size() < limit) {
            var page = table.list(RecordList.ATTENTION, position, limit - items.size());
            var lookups = page.entries().stream().map(ListPosition::lookup).toList();
            var rows = access.readAll(lookups);
            for (int i = 0; i < lookups.size(); i++) {
                var lookup = lookups.get(i);
                rows.get(i).flatMap(row -> attentionItem(lookup, row)).ifPresent(items::add);
            }
            more = page.more();
            position = page.entries().isEmpty() ? position : page.entries().getLast();
        }
        return items;
    }

    private Optional<AttentionItem> attentionItem(KeyHash lookup, SeenRow row) {
        if (!RecordEncoding.isReadable(row.values())) {
            return Optional.empty();
        }
        var now = access.now();
        return Optional.ofNullable(access.read(lookup, row, now))
                .filter(record -> record.state == RecordState.ATTENTION)
                .map(record -> record.attentionItem(steps, now))
                .map(item -> new AttentionItem(
                        item.identity(),
                        item.claim(),
                        item.reason(),
                        item.since(),
                        item.age().plus(access.clock().allowance()),
                        item.explanation()));
    }

    /** The record and the line in the audit trail are written together. */
    RecordWriteResponse resolve(Resolution resolution) {
        var lookup = resolution.claim().lookup();
        var row = access.readAll(List.of(lookup)).getFirst().orElse(null);
        for (int round = 0; round < ROUNDS; round++) {
            var now = access.now();
            var record = access.read(lookup, row, now);
            if (record == null || !RecordDecisions.awaits(record, resolution)) {
                return new RecordWriteResponse.Refused(RecordDecisions.present(record, now));
            }
            String action = record.decide(resolution.verdict(), now);
            var line = new AuditEntry(now, action, record.id.toString(), resolution.who(), resolution.why());
            var put = new ConditionalPut(
                    access.rowOf(record), Objects.requireNonNull(row).revision());
            var reply = table.putAudited(put, line);
            if (reply instanceof TableReply.Unanswered unanswered) {
                return new RecordWriteResponse.Failed(unanswered.failure());
            }
            if (reply instanceof TableReply.Stored
                    || (reply instanceof TableReply.Present present
                            && present.revision().equals(put.row().revision()))) {
                return new RecordWriteResponse.Written();
            }
            row = access.readAll(List.of(lookup)).getFirst().orElse(null);
        }
        return new RecordWriteResponse.Failed(StoreException.unavailable(
                "The record was changed by others while it was resolved. Retry.", Effect.NONE, null));
    }

    private enum Erased {
        NOTHING,
        ERASED,
        IN_USE
    }

    /** The line in the audit trail comes first: records are erased one by one, and no erasure may go without its line. */
    ErasureResult erase(ErasureRequest order) {
        String scope = switch (order.target()) {
            case ErasureRequest.OfScope of -> of.scope();
            case ErasureRequest.OfSubject of -> of.scope();
        };
        table.addAudit(new AuditEntry(
                access.now(),
                "erase",
                order.target() instanceof ErasureRequest.OfSubject ? "records of a person" : "records of a scope",
                order.who(),
                order.why()));
        var counts = new ErasureCounts(order);
        table.forEachOfScope(scope, lookups -> {
            for (var lookup : lookups) {
                changeEach(List.of(lookup), counts::decide, Erased.NOTHING)
                        .forEach(result -> counts.add(result.orThrow()));
            }
        });
        return new ErasureResult(counts.erased, counts.inUse, counts.erased == order.limit());
    }

    private static final class ErasureCounts {

        private final ErasureRequest order;
        private int erased;
        private int inUse;

        ErasureCounts(ErasureRequest order) {
            this.order = order;
        }

        Decision<Erased> decide(MutableRecord record) {
            if (!record.concerns(order.target()) || (record.isSettled() && erased >= order.limit())) {
                return new Decision<>(Erased.NOTHING, Optional.empty());
            }
            if (record.isSettled()) {
                record.erase();
                return new Decision<>(Erased.ERASED, Optional.of(record));
            }
            boolean kept = record.keptRequest.isPresent();
            record.eraseKeptRequest();
            return new Decision<>(Erased.IN_USE, kept ? Optional.of(record) : Optional.empty());
        }

        void add(Erased one) {
            erased += one == Erased.ERASED ? 1 : 0;
            inUse += one == Erased.IN_USE ? 1 : 0;
        }
    }

    /** Only what this handle has seen to stand for a whole lease is read, to know whether it still does. */
    UnsettledCounts count(int limit) {
        var running = all(RecordList.RUNNING, limit);
        var attention = all(RecordList.ATTENTION, limit);
        var now = access.now();
        var overdue = running.stream()
                .map(ListPosition::lookup)
                .filter(access::leaseMayHaveEnded)
                .toList();
        var rows = access.readAll(overdue);
        long leaseOver = 0;
        for (int i = 0; i < overdue.size(); i++) {
            var lookup = overdue.get(i);
            leaseOver += rows
                    .get(i)
                    .filter(row -> RecordEncoding.isReadable(row.values()))
                    .map(row -> access.read(lookup, row, now))
                    .filter(record -> record.state == RecordState.IN_PROGRESS && record.leaseEnded(Duration.ZERO, now))
                    .stream()
                    .count();
        }
        return new UnsettledCounts(
                running.size(),
                leaseOver,
                attention.size(),
                running.stream()
                        .map(entry -> Duration.between(entry.since(), now)
                                .plus(access.clock().allowance()))
                        .max(Comparator.naturalOrder()),
                0,
                Optional.empty(),
                running.size() == limit || attention.size() == limit);
    }

    private List<ListPosition> all(RecordList list, int limit) {
        var found = new ArrayList<ListPosition>();
        ListPosition position = null;
        boolean more = true;
        while (more && found.size() < limit) {
            var page = table.list(list, position, limit - found.size());
            found.addAll(page.entries());
            more = page.more() && !page.entries().isEmpty();
            position = found.isEmpty() ? null : found.getLast();
        }
        return found;
    }
}
