package dev.refrain.trials.simulation.world;

import dev.refrain.api.Payload;
import dev.refrain.api.RecordId;
import dev.refrain.store.outbox.DeadLetter;
import dev.refrain.store.outbox.DeadLetterDecision;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxRowRef;
import dev.refrain.store.outbox.StagedMessage;
import dev.refrain.store.outbox.TopicBacklog;
import dev.refrain.trials.simulation.law.InvariantChecker;
import dev.refrain.trials.simulation.law.SimulationEvent;
import dev.refrain.trials.simulation.machine.SimulatedThreadGroup;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** Table of waiting messages, shared by all relays: the shortest correct implementation of an outbox store. */
final class SimulatedMessageTable {

    private static final class Row {
        private final long sequence;
        private final StagedMessage message;
        private final Instant stagedAt;
        private Instant dueAt;
        private Instant leaseUntil = Instant.MIN;
        private Instant sentAt = Instant.MIN;
        private long fence;
        private int attempts;
        private int open;

        Row(long sequence, StagedMessage message, Instant now) {
            this.sequence = sequence;
            this.message = message;
            this.stagedAt = now;
            this.dueAt = now;
        }

        boolean isFree(Instant now) {
            return !now.isBefore(dueAt) && !now.isBefore(leaseUntil);
        }

        LeasedMessage taken(Duration lease, SimulatedStoreClock clock) {
            var now = clock.instant();
            fence++;
            attempts++;
            sentAt = open == 0 ? now : sentAt;
            open++;
            leaseUntil = now.plus(lease);
            return new LeasedMessage(
                    new OutboxRowRef(sequence, fence),
                    message.id(),
                    message.topic(),
                    message.lane(),
                    message.orderKey(),
                    message.payload(),
                    attempts,
                    open,
                    Duration.between(sentAt, now).plus(clock.setBackSince(sentAt)),
                    Duration.between(stagedAt, now),
                    message.labels());
        }

        void forgotten() {
            fence--;
            attempts--;
            open--;
            leaseUntil = Instant.MIN;
        }

        void putOff(Duration pause, int uncounted, int closed, Instant now) {
            fence++;
            leaseUntil = Instant.MIN;
            attempts -= uncounted;
            open -= closed;
            dueAt = pause.isZero() ? dueAt : now.plus(pause);
        }
    }

    private final SimulatedStoreClock clock;
    private final InvariantChecker law;
    private final TreeMap<Long, Row> rows = new TreeMap<>();
    private final Map<UUID, Letter> letters = new LinkedHashMap<>();
    private long sequences;

    SimulatedMessageTable(SimulatedStoreClock clock, InvariantChecker law) {
        this.clock = clock;
        this.law = law;
    }

    /** Adds a message whose transaction has committed. */
    void add(StagedMessage message) {
        long sequence = ++sequences;
        rows.put(sequence, new Row(sequence, message, clock.instant()));
        law.check(new SimulationEvent.Staged(message.topic(), new RecordId(message.id()), line(message.payload())));
    }

    /** Returns the ordering key that the application meant, whatever became of it on its way here. */
    private static String line(Payload payload) {
        return new String(payload.bytes(), StandardCharsets.UTF_8);
    }

    List<LeasedMessage> take(MessageLeaseRequest order, SimulatedThreadGroup relay) {
        var now = clock.instant();
        var closed = new HashSet<OptionalInt>();
        var inLane = new HashMap<OptionalInt, Integer>();
        var taken = new ArrayList<LeasedMessage>();
        for (var row : rows.values()) {
            if (!row.message.topic().equals(order.topic()) || taken.size() == order.maxRows()) {
                continue;
            }
            var lane = row.message.lane();
            boolean behind = lane.isPresent()
                    && (closed.contains(lane) || inLane.getOrDefault(lane, 0) == order.maxRowsPerLane());
            if (!behind && row.isFree(now)) {
                taken.add(row.taken(order.lease(), clock));
                inLane.merge(lane, 1, Integer::sum);
            } else {
                closed.add(lane);
            }
        }
        taken.forEach(
                each -> law.check(new SimulationEvent.Leased(new RecordId(each.id()), relay.undisturbedFromNowOn())));
        return List.copyOf(taken);
    }

    /** Forgets a lease that nobody has touched since: the next one has the same fence. */
    void forget(OutboxRowRef lease) {
        find(lease).ifPresent(Row::forgotten);
    }

    Set<OutboxRowRef> settle(List<? extends MessageSettlement> settlements) {
        var settled = new HashSet<OutboxRowRef>();
        for (var settlement : settlements) {
            find(settlement.row()).ifPresent(row -> {
                settle(row, settlement);
                settled.add(settlement.row());
            });
        }
        return Set.copyOf(settled);
    }

    /** Settles all of them, or none. */
    boolean settleTogether(List<? extends MessageSettlement> settlements) {
        boolean there = settlements.stream().allMatch(s -> find(s.row()).isPresent());
        if (there) {
            settle(settlements);
        }
        return there;
    }

    private Optional<Row> find(OutboxRowRef ref) {
        return Optional.ofNullable(rows.get(ref.sequence())).filter(row -> row.fence == ref.fence());
    }

    private void settle(Row row, MessageSettlement settlement) {
        var now = clock.instant();
        switch (settlement) {
            case MessageSettlement.Delivered delivered -> rows.remove(row.sequence);
            case MessageSettlement.Failed failed -> row.putOff(failed.pause(), 0, 0, now);
            case MessageSettlement.Refused refused -> row.putOff(refused.pause(), 0, 1, now);
            case MessageSettlement.NotSent notSent -> row.putOff(notSent.pause(), 1, 1, now);
            case MessageSettlement.Dead dead -> {
                rows.remove(row.sequence);
                letters.put(row.message.id(), new Letter(row.message, dead, row.attempts, now));
                law.check(new SimulationEvent.Died(row.message.topic(), new RecordId(row.message.id()), dead.cause()));
            }
        }
    }

    List<DeadLetter> deadLetters() {
        return letters.values().stream().map(Letter::shown).toList();
    }

    Optional<DeadLetter> findDeadLetter(String topic, String reference) {
        return letters.values().stream()
                .filter(letter -> letter.message().topic().equals(topic)
                        && letter.message().labels().reference().equals(Optional.of(reference)))
                .map(Letter::shown)
                .reduce((older, newer) -> newer);
    }

    int resolve(DeadLetterDecision decision) {
        int resolved = 0;
        for (var id : decision.ids()) {
            var letter = letters.remove(id);
            if (letter != null) {
                resolved++;
                if (decision.action() == DeadLetterDecision.Action.RESEND) {
                    long sequence = ++sequences;
                    rows.put(sequence, new Row(sequence, letter.message(), clock.instant()));
                }
            }
        }
        return resolved;
    }

    private record Letter(StagedMessage message, MessageSettlement.Dead settlement, int attempts, Instant since) {
        DeadLetter shown() {
            return new DeadLetter(
                    message.id(),
                    message.topic(),
                    settlement.cause(),
                    settlement.reason(),
                    attempts,
                    since,
                    message.payload());
        }
    }

    TopicBacklog backlog(String topic) {
        long waiting = rows.values().stream()
                .filter(row -> row.message.topic().equals(topic))
                .count();
        return new TopicBacklog(waiting, 0, Duration.ZERO, false);
    }
}
