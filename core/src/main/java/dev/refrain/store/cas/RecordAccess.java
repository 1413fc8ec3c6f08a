package dev.refrain.store.cas;

import dev.refrain.api.KeyHash;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.cas.RecordDecisions.Decision;
import dev.refrain.store.cas.RecordTable.ConditionalPut;
import dev.refrain.store.cas.RecordTable.TableReply;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads and changes records of a table. A change is decided about what was last seen of the record and written on the condition that this is
 * still there; if it is not, the table answers with what is, and the decision is made again. Thread-safe.
 */
final class RecordAccess {

    /** Number of attempts to write a record that others keep changing, before the caller is told to retry. */
    private static final int ROUNDS = 30;

    private static final int REMEMBERED = 10_000;
    private static final int SMALL = 4_096;

    /** Row as it was seen, between these moments of the monotonic clock. */
    record SeenRow(String revision, Map<String, Object> values, long askedAt, long answeredAt) {}

    private final RecordTable table;
    private final RecordClock clock;
    private final InstantSource wall;
    private final LongSupplier nanos;
    private final LeaseSightings sightings = new LeaseSightings();

    /** What this handle wrote last of claims that may be its own: the next write needs no look. */
    private final Map<KeyHash, SeenRow> ownClaims = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<KeyHash, SeenRow> eldest) {
            return size() > REMEMBERED;
        }
    });

    RecordAccess(RecordTable table, RecordClock clock, InstantSource wall, LongSupplier nanos) {
        this.table = table;
        this.clock = clock;
        this.wall = wall;
        this.nanos = nanos;
    }

    RecordClock clock() {
        return clock;
    }

    Instant now() {
        return wall.instant().truncatedTo(ChronoUnit.MICROS);
    }

    @Nullable
    SeenRow ownClaim(KeyHash lookup) {
        return ownClaims.get(lookup);
    }

    boolean leaseMayHaveEnded(KeyHash lookup) {
        return sightings.mayHaveEnded(lookup, nanos.getAsLong());
    }

    /** Returns what a row says; null if there is no row. */
    @Nullable
    MutableRecord read(KeyHash lookup, @Nullable SeenRow row, Instant now) {
        if (row == null) {
            return null;
        }
        var record = RecordEncoding.read(lookup, row.values, clock, now);
        if (record.state == RecordState.IN_PROGRESS) {
            record.leaseUntil = now.plus(left(record, row.askedAt, row.answeredAt));
        } else {
            sightings.forget(lookup);
        }
        return record;
    }

    private Duration left(MutableRecord record, long askedAt, long answeredAt) {
        var lease = new LeaseSightings.Lease(record.id.value(), record.fence, record.beat, record.lease);
        return sightings.see(record.lookup, lease, askedAt, answeredAt);
    }

    /** Row that was read, absent if null, or the failure to read it. */
    record ReadRow(@Nullable SeenRow row, @Nullable StoreException failure) {}

    /** Reads rows, each for itself. */
    List<ReadRow> readEach(List<KeyHash> lookups) {
        if (lookups.isEmpty()) {
            return List.of();
        }
        long askedAt = nanos.getAsLong();
        var replies = table.getAll(lookups);
        long answeredAt = nanos.getAsLong();
        return replies.stream()
                .map(reply -> switch (reply) {
                    case TableReply.Present row ->
                        new ReadRow(new SeenRow(row.revision(), row.values(), askedAt, answeredAt), null);
                    case TableReply.Unanswered unanswered -> new ReadRow(null, unanswered.failure());
                    default -> new ReadRow(null, null);
                })
                .toList();
    }

    /** Reads rows of which each has to be answered; an empty one is absent. */
    List<Optional<SeenRow>> readAll(List<KeyHash> lookups) {
        var rows = new ArrayList<Optional<SeenRow>>();
        for (var read : readEach(lookups)) {
            if (read.failure != null) {
                throw read.failure;
            }
            rows.add(Optional.ofNullable(read.row));
        }
        return rows;
    }

    /** Change of one record that is decided until it is stored. Not thread-safe. */
    abstract static class Change<A> {

        final KeyHash lookup;

        @Nullable
        SeenRow row;

        private @Nullable A answer;
        private @Nullable Decision<A> pending;

        Change(KeyHash lookup, @Nullable SeenRow row) {
            this.lookup = lookup;
            this.row = row;
        }

        abstract Decision<A> decide(@Nullable SeenRow current);

        abstract A failed(StoreException failure);

        A answer() {
            return answer == null
                    ? failed(StoreException.unavailable(
                            "A record was changed by others " + ROUNDS + " times between look and write. Retry.",
                            Effect.NONE,
                            null))
                    : answer;
        }
    }

    /** Decides and stores all changes, each for itself. */
    <A> List<A> applyAll(List<? extends Change<A>> changes) {
        List<? extends Change<A>> open = changes;
        for (int round = 0; round < ROUNDS && !open.isEmpty(); round++) {
            open = storeAll(open.stream().filter(this::isToBeStored).toList());
        }
        return changes.stream().map(Change::answer).toList();
    }

    private <A> boolean isToBeStored(Change<A> change) {
        try {
            var decision = change.decide(change.row);
            change.pending = decision;
            if (decision.changed().isEmpty()) {
                change.answer = decision.answer();
            }
        } catch (StoreException e) {
            change.answer = change.failed(e);
        }
        return change.answer == null;
    }

    private <A, C extends Change<A>> List<C> storeAll(List<C> changes) {
        if (changes.isEmpty()) {
            return List.of();
        }
        var puts = changes.stream().map(this::put).toList();
        long askedAt = nanos.getAsLong();
        var replies = table.putAll(puts);
        long answeredAt = nanos.getAsLong();
        var again = new ArrayList<C>();
        for (int i = 0; i < puts.size(); i++) {
            var change = changes.get(i);
            if (isRefused(change, puts.get(i), replies.get(i), askedAt, answeredAt)) {
                again.add(change);
            }
        }
        return again;
    }

    private <A> ConditionalPut put(Change<A> change) {
        var pending = Objects.requireNonNull(change.pending);
        return new ConditionalPut(
                rowOf(pending.changed().orElseThrow()), change.row == null ? null : change.row.revision);
    }

    /** Takes note of an answer, and returns true if the change has to be decided again. */
    private <A> boolean isRefused(
            Change<A> change, ConditionalPut put, TableReply reply, long askedAt, long answeredAt) {
        switch (reply) {
            case TableReply.Stored stored -> accept(change, put, askedAt, answeredAt);
            case TableReply.Present row -> {
                // A lost reply: the client or a retry sent it twice, and the first one took effect.
                if (row.revision().equals(put.row().revision())) {
                    accept(change, put, askedAt, answeredAt);
                } else {
                    change.row = new SeenRow(row.revision(), row.values(), askedAt, answeredAt);
                    ownClaims.remove(change.lookup);
                    return true;
                }
            }
            case TableReply.Absent absent -> {
                change.row = null;
                ownClaims.remove(change.lookup);
                return true;
            }
            case TableReply.Unanswered unanswered -> change.answer = change.failed(unanswered.failure());
        }
        return false;
    }

    private <A> void accept(Change<A> change, ConditionalPut put, long askedAt, long answeredAt) {
        var decision = Objects.requireNonNull(change.pending);
        change.answer = decision.answer();
        stored(decision.changed().orElseThrow(), put.row(), askedAt, answeredAt);
    }

    void stored(MutableRecord record, RecordRow row, long askedAt, long answeredAt) {
        if (record.state != RecordState.IN_PROGRESS) {
            sightings.forget(row.lookup());
            ownClaims.remove(row.lookup());
            return;
        }
        var unused = left(record, askedAt, answeredAt);
        if (payloadBytes(record) <= SMALL) {
            ownClaims.put(row.lookup(), new SeenRow(row.revision(), row.values(), askedAt, answeredAt));
        } else {
            ownClaims.remove(row.lookup());
        }
    }

    private static int payloadBytes(MutableRecord record) {
        return record.request.map(p -> p.size()).orElse(0)
                + record.keptRequest.map(p -> p.size()).orElse(0)
                + record.carried.map(p -> p.size()).orElse(0);
    }

    RecordRow rowOf(MutableRecord record) {
        Optional<RecordRow.Listing> listing = switch (record.state) {
            case IN_PROGRESS -> Optional.of(new RecordRow.Listing(RecordRow.RecordList.RUNNING, record.claimedAt));
            case ATTENTION -> Optional.of(new RecordRow.Listing(RecordRow.RecordList.ATTENTION, record.attentionSince));
            case COMPLETED, RELEASED -> Optional.empty();
        };
        return new RecordRow(
                record.lookup,
                UUID.randomUUID().toString(),
                RecordEncoding.write(record),
                listing,
                record.identity.map(identity -> identity.scope()),
                record.isSettled() ? record.expiresAt.map(at -> at.plus(clock.allowance())) : Optional.empty());
    }
}
