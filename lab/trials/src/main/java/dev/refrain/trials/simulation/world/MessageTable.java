package dev.refrain.trials.simulation.world;

import dev.refrain.key.RecordId;
import dev.refrain.outcome.Payload;
import dev.refrain.store.outbox.Backlog;
import dev.refrain.store.outbox.RowRef;
import dev.refrain.store.outbox.Settlement;
import dev.refrain.store.outbox.Staged;
import dev.refrain.store.outbox.TakeOrder;
import dev.refrain.store.outbox.Taken;
import dev.refrain.trials.simulation.law.Happening;
import dev.refrain.trials.simulation.law.Law;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/** Messages that wait, as every relay sees them: the shortest correct telling of what a store of messages does. */
final class MessageTable {

    private static final class Row {
        private final long sequence;
        private final Staged message;
        private final Instant stagedAt;
        private Instant dueAt;
        private Instant leaseUntil = Instant.MIN;
        private Instant sentAt = Instant.MIN;
        private long fence;
        private int attempts;
        private int open;

        Row(long sequence, Staged message, Instant now) {
            this.sequence = sequence;
            this.message = message;
            this.stagedAt = now;
            this.dueAt = now;
        }

        boolean isFree(Instant now) {
            return !now.isBefore(dueAt) && !now.isBefore(leaseUntil);
        }

        Taken taken(Duration lease, Instant now) {
            fence++;
            attempts++;
            sentAt = open == 0 ? now : sentAt;
            open++;
            leaseUntil = now.plus(lease);
            return new Taken(
                    new RowRef(sequence, fence),
                    message.id(),
                    message.topic(),
                    message.lane(),
                    message.orderKey(),
                    message.payload(),
                    attempts,
                    open,
                    Duration.between(sentAt, now),
                    Duration.between(stagedAt, now));
        }

        void putOff(Duration pause, int uncounted, int closed, Instant now) {
            fence++;
            leaseUntil = Instant.MIN;
            attempts -= uncounted;
            open -= closed;
            dueAt = pause.isZero() ? dueAt : now.plus(pause);
        }
    }

    private final StoreClock clock;
    private final Law law;
    private final TreeMap<Long, Row> rows = new TreeMap<>();
    private long sequences;

    MessageTable(StoreClock clock, Law law) {
        this.clock = clock;
        this.law = law;
    }

    /** Its transaction has committed. */
    void add(Staged message) {
        long sequence = ++sequences;
        rows.put(sequence, new Row(sequence, message, clock.instant()));
        law.check(new Happening.Staged(message.topic(), new RecordId(message.id()), line(message.payload())));
    }

    /** The one that the application had in mind, whatever became of the key of order on its way here. */
    private static String line(Payload payload) {
        return new String(payload.bytes(), StandardCharsets.UTF_8);
    }

    List<Taken> take(TakeOrder order) {
        var now = clock.instant();
        var closed = new HashSet<OptionalInt>();
        var inLane = new HashMap<OptionalInt, Integer>();
        var taken = new ArrayList<Taken>();
        for (var row : rows.values()) {
            if (!row.message.topic().equals(order.topic()) || taken.size() == order.maxRows()) {
                continue;
            }
            var lane = row.message.lane();
            boolean behind =
                    lane.isPresent() && (closed.contains(lane) || inLane.getOrDefault(lane, 0) == order.maxRowsPerLane());
            if (!behind && row.isFree(now)) {
                taken.add(row.taken(order.lease(), now));
                inLane.merge(lane, 1, Integer::sum);
            } else {
                closed.add(lane);
            }
        }
        return List.copyOf(taken);
    }

    Set<RowRef> settle(List<? extends Settlement> settlements) {
        var settled = new HashSet<RowRef>();
        for (var settlement : settlements) {
            find(settlement.row()).ifPresent(row -> {
                settle(row, settlement);
                settled.add(settlement.row());
            });
        }
        return Set.copyOf(settled);
    }

    /** All of them, or none. */
    boolean settleTogether(List<? extends Settlement> settlements) {
        boolean there = settlements.stream().allMatch(s -> find(s.row()).isPresent());
        if (there) {
            settle(settlements);
        }
        return there;
    }

    private Optional<Row> find(RowRef ref) {
        return Optional.ofNullable(rows.get(ref.sequence())).filter(row -> row.fence == ref.fence());
    }

    private void settle(Row row, Settlement settlement) {
        var now = clock.instant();
        switch (settlement) {
            case Settlement.Delivered delivered -> rows.remove(row.sequence);
            case Settlement.Failed failed -> row.putOff(failed.pause(), 0, 0, now);
            case Settlement.Refused refused -> row.putOff(refused.pause(), 0, 1, now);
            case Settlement.NotSent notSent -> row.putOff(notSent.pause(), 1, 1, now);
            case Settlement.Dead dead -> {
                rows.remove(row.sequence);
                law.check(new Happening.Died(row.message.topic(), new RecordId(row.message.id()), dead.cause()));
            }
        }
    }

    Backlog backlog(String topic) {
        long waiting = rows.values().stream()
                .filter(row -> row.message.topic().equals(topic))
                .count();
        return new Backlog(waiting, 0, Duration.ZERO, false);
    }
}
