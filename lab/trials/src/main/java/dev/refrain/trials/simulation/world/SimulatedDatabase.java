package dev.refrain.trials.simulation.world;

import dev.refrain.api.KeyHash;
import dev.refrain.api.RecordId;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.StagedMessage;
import dev.refrain.store.outbox.StagingListener;
import dev.refrain.trials.simulation.law.InvariantChecker;
import dev.refrain.trials.simulation.law.SimulatedRun;
import dev.refrain.trials.simulation.law.SimulationEvent;
import dev.refrain.trials.simulation.law.StoreAction;
import dev.refrain.trials.simulation.machine.SeededRandom;
import dev.refrain.trials.simulation.machine.SimulatedThreadGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Database around the store's records: locks, and a table of bookings that commits with them. */
final class SimulatedDatabase {

    /** How often a lock of a dead process may stand in the way. */
    private static final int MOST_UNNOTICED = 3;

    private final Store store;
    private final RecordChangeObserver eyes;
    private final InvariantChecker law;
    private final SeededRandom chance;
    private final boolean forgetsJoined;
    private final Map<KeyHash, LockHoldingTransaction> locks = new HashMap<>();
    private final SimulatedMessageTable messages;
    private final List<Listening> listeners = new ArrayList<>();

    SimulatedDatabase(
            Store store,
            RecordChangeObserver eyes,
            SimulatedMessageTable messages,
            InvariantChecker law,
            SeededRandom chance,
            boolean forgetsJoined) {
        this.forgetsJoined = forgetsJoined;
        this.store = store;
        this.eyes = eyes;
        this.messages = messages;
        this.law = law;
        this.chance = chance;
    }

    /** Process that listens to staged messages. */
    private record Listening(SimulatedThreadGroup process, StagingListener listener) {

        void committed(String topic) {
            process.start("notified", () -> listener.committed(topic));
        }

        void staged(String topic) {
            process.start("told", () -> listener.staged(topic));
        }
    }

    /** Writes of the work in its transaction. */
    static final class Bookings {
        private final LockHoldingTransaction owner;
        private final List<SimulationEvent> rows = new ArrayList<>();
        private final List<StagedMessage> staged = new ArrayList<>();
        private final List<Runnable> changes = new ArrayList<>();
        private final List<JoinedCompletion> joined = new ArrayList<>();

        Bookings(LockHoldingTransaction owner) {
            this.owner = owner;
        }

        /** Returns the transaction that these writes belong to. */
        LockHoldingTransaction owner() {
            return owner;
        }

        void add(SimulatedRun run) {
            rows.add(new SimulationEvent.Booked(run));
        }

        void insert(String table, RecordId about) {
            rows.add(new SimulationEvent.Inserted(table, about));
        }

        void stage(StagedMessage message) {
            staged.add(message);
        }

        /** Completes a record together with these writes. */
        void complete(ClaimRequest request, RecordWrite.Complete completion) {
            joined.add(new JoinedCompletion(request, completion));
        }

        /** Changes another table together with these writes. */
        void add(Runnable change) {
            changes.add(change);
        }

        Mark mark() {
            return new Mark(rows.size(), staged.size(), changes.size());
        }

        /** Drops what was written since the mark. */
        void rollBackTo(Mark mark) {
            rows.subList(mark.rows(), rows.size()).clear();
            staged.subList(mark.staged(), staged.size()).clear();
            changes.subList(mark.changes(), changes.size()).clear();
        }

        void clear() {
            rollBackTo(new Mark(0, 0, 0));
        }

        /** Savepoint. */
        record Mark(int rows, int staged, int changes) {}

        private record JoinedCompletion(ClaimRequest request, RecordWrite.Complete completion) {}
    }

    Store store() {
        return store;
    }

    /** Takes the key's lock without waiting. Locks of a dead process are released some time later. */
    boolean lock(KeyHash lookup, LockHoldingTransaction by) {
        var holder = locks.get(lookup);
        if (holder != null && holder.isOrphaned() && isNoticed(holder)) {
            holder.abort();
        }
        return locks.computeIfAbsent(lookup, free -> by).equals(by);
    }

    void unlock(LockHoldingTransaction by) {
        locks.values().removeIf(by::equals);
    }

    /** Returns whether the database notices now that the process of a transaction is dead: sooner or later it does. */
    private boolean isNoticed(LockHoldingTransaction orphan) {
        boolean now = chance.oneIn(3);
        return orphan.stoodInTheWay() > MOST_UNNOTICED || now;
    }

    /** Releases the locks of all processes that are dead: none of them stays unnoticed for long. */
    void noticeDeadProcesses() {
        List.copyOf(locks.values()).stream()
                .filter(LockHoldingTransaction::isOrphaned)
                .forEach(LockHoldingTransaction::abort);
    }

    /** Returns true if an open transaction has locked this row: waits are short. */
    boolean isRowLocked(KeyHash lookup) {
        var holder = Optional.ofNullable(locks.get(lookup)).filter(LockHoldingTransaction::hasWritten);
        if (holder.isPresent() && holder.get().isOrphaned() && isNoticed(holder.get())) {
            holder.get().abort();
            return false;
        }
        return holder.isPresent();
    }

    /** Commits claim, bookings and outcome in one step. */
    void commit(String process, ClaimRequest request, RecordWrite.Complete completion, Bookings bookings) {
        var before = eyes.before(process, request.identity());
        requireThere(request, completion);
        store.claim(List.of(request));
        store.write(List.of(completion));
        commit(bookings);
        eyes.after(process, request.identity(), before, new StoreAction.Committed(request));
    }

    /** Commits the writes of a phase and the change of its record in one step, unless that is refused. */
    RecordWriteResponse commit(String process, RecordWrite write, Bookings bookings) {
        requireJoinedThere(bookings);
        var identity = eyes.identity(write.claim().lookup());
        var before = eyes.before(process, identity);
        var answer = store.write(List.of(write)).getFirst();
        if (answer instanceof RecordWriteResponse.Written) {
            commit(bookings);
            completeJoined(process, bookings);
        }
        eyes.after(process, identity, before, new StoreAction.Wrote(write, answer));
        return answer;
    }

    /** Commits the writes of handlers and the settlements of their messages in one step, unless one of these has changed. */
    boolean deliver(String process, List<? extends MessageSettlement> settlements, Bookings bookings) {
        requireJoinedThere(bookings);
        boolean settled = messages.settleTogether(settlements);
        if (settled) {
            commit(bookings);
            completeJoined(process, bookings);
        }
        return settled;
    }

    private void requireJoinedThere(Bookings bookings) {
        bookings.joined.forEach(part -> requireThere(part.request(), part.completion()));
    }

    /** Rolls back a transaction if the retention of a record was over while it was open: this database forgets it all the same. */
    private void requireThere(ClaimRequest request, RecordWrite.Complete completion) {
        var there = store.find(List.of(request.identity()))
                .getFirst()
                .filter(record -> record.id().equals(completion.claim().id()));
        if (completion.claim().fence() > 1 && there.isEmpty()) {
            throw StoreException.unavailable("The row is gone.", StoreException.Effect.NONE, null);
        }
    }

    private void completeJoined(String process, Bookings bookings) {
        if (forgetsJoined) {
            return;
        }
        for (var part : bookings.joined) {
            var before = eyes.before(process, part.request().identity());
            store.claim(List.of(part.request()));
            store.write(List.of(part.completion()));
            eyes.after(process, part.request().identity(), before, new StoreAction.Committed(part.request()));
        }
    }

    private void commit(Bookings bookings) {
        bookings.rows.forEach(law::check);
        bookings.changes.forEach(Runnable::run);
        bookings.staged.forEach(messages::add);
        for (var message : bookings.staged) {
            // A notification may get lost, and then somebody polls.
            listeners.stream()
                    .filter(listener -> !chance.oneIn(4))
                    .toList()
                    .forEach(listener -> listener.committed(message.topic()));
        }
    }

    /** Reports a message to the relays of its process before it is committed, if it ever is. */
    void reportStaged(SimulatedThreadGroup process, String topic) {
        listeners.stream()
                .filter(listener -> listener.process().equals(process) && !chance.oneIn(4))
                .toList()
                .forEach(listener -> listener.staged(topic));
    }

    /** Forgets leases now and then, as in a crash before they were on the disk, while the relay that has them goes on. */
    void mayForget(List<LeasedMessage> taken, Duration lease, SimulatedThreadGroup relay) {
        if (!taken.isEmpty() && chance.oneIn(20)) {
            relay.after(chance.upTo(lease), () -> taken.forEach(each -> messages.forget(each.row())));
        }
    }

    SimulatedMessageTable messages() {
        return messages;
    }

    /** Subscribes a process to staged messages. */
    OutboxStore.WakeupSubscription listen(SimulatedThreadGroup process, StagingListener listener) {
        var listening = new Listening(process, listener);
        listeners.add(listening);
        return () -> listeners.remove(listening);
    }
}
