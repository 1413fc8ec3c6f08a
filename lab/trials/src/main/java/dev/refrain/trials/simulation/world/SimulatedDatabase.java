package dev.refrain.trials.simulation.world;

import dev.refrain.api.KeyHash;
import dev.refrain.api.RecordId;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.WriteResponse;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.StagedMessage;
import dev.refrain.trials.simulation.law.InvariantChecker;
import dev.refrain.trials.simulation.law.SimulatedRun;
import dev.refrain.trials.simulation.law.SimulationEvent;
import dev.refrain.trials.simulation.law.StoreAction;
import dev.refrain.trials.simulation.machine.SeededRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Database around the store's records: locks, and a table of bookings that commits with them. */
final class SimulatedDatabase {

    private final Store store;
    private final RecordChangeObserver eyes;
    private final InvariantChecker law;
    private final SeededRandom chance;
    private final Map<KeyHash, LockHoldingTransaction> locks = new HashMap<>();
    private final SimulatedMessageTable messages;
    private final List<Consumer<String>> listeners = new ArrayList<>();

    SimulatedDatabase(
            Store store,
            RecordChangeObserver eyes,
            SimulatedMessageTable messages,
            InvariantChecker law,
            SeededRandom chance) {
        this.store = store;
        this.eyes = eyes;
        this.messages = messages;
        this.law = law;
        this.chance = chance;
    }

    /** Writes of the work in its transaction. */
    static final class Bookings {
        private final List<SimulationEvent> rows = new ArrayList<>();
        private final List<StagedMessage> staged = new ArrayList<>();

        void add(SimulatedRun run) {
            rows.add(new SimulationEvent.Booked(run));
        }

        void insert(String table, RecordId about) {
            rows.add(new SimulationEvent.Inserted(table, about));
        }

        void stage(StagedMessage message) {
            staged.add(message);
        }

        void clear() {
            rows.clear();
            staged.clear();
        }
    }

    Store store() {
        return store;
    }

    /** Takes the key's lock without waiting. Locks of a dead process are released some time later. */
    boolean lock(KeyHash lookup, LockHoldingTransaction by) {
        var holder = locks.get(lookup);
        if (holder != null && holder.isOrphaned() && chance.oneIn(3)) {
            holder.abort();
        }
        return locks.computeIfAbsent(lookup, free -> by).equals(by);
    }

    void unlock(LockHoldingTransaction by) {
        locks.values().removeIf(by::equals);
    }

    /** Returns true if an open transaction has locked this row: waits are short. */
    boolean isRowLocked(KeyHash lookup) {
        var holder = Optional.ofNullable(locks.get(lookup)).filter(LockHoldingTransaction::hasWritten);
        if (holder.isPresent() && holder.get().isOrphaned() && chance.oneIn(3)) {
            holder.get().abort();
            return false;
        }
        return holder.isPresent();
    }

    /** Commits claim, bookings and outcome in one step. */
    void commit(String process, ClaimRequest request, RecordWrite.Complete completion, Bookings bookings) {
        var before = eyes.before(process, request.identity());
        var claimed = before.filter(
                seen -> seen.record().id().equals(completion.claim().id()));
        if (completion.claim().fence() > 1 && claimed.isEmpty()) {
            // Its retention was over while the transaction was open: this database forgets it all the same.
            throw StoreException.unavailable("The row is gone.", StoreException.Effect.NONE, null);
        }
        store.claim(List.of(request));
        store.write(List.of(completion));
        commit(bookings);
        eyes.after(process, request.identity(), before, new StoreAction.Committed(request));
    }

    /** Commits the writes of a phase and the change of its record in one step, unless that is refused. */
    WriteResponse commit(String process, RecordWrite write, Bookings bookings) {
        var identity = eyes.identity(write.claim().lookup());
        var before = eyes.before(process, identity);
        var answer = store.write(List.of(write)).getFirst();
        if (answer instanceof WriteResponse.Written) {
            commit(bookings);
        }
        eyes.after(process, identity, before, new StoreAction.Wrote(write, answer));
        return answer;
    }

    /** Commits the writes of handlers and the settlements of their messages in one step, unless one of these has changed. */
    boolean deliver(List<? extends MessageSettlement> settlements, Bookings bookings) {
        boolean settled = messages.settleTogether(settlements);
        if (settled) {
            commit(bookings);
        }
        return settled;
    }

    private void commit(Bookings bookings) {
        bookings.rows.forEach(law::check);
        bookings.staged.forEach(messages::add);
        for (var message : bookings.staged) {
            // A notification may get lost, and then somebody polls.
            listeners.stream()
                    .filter(listener -> !chance.oneIn(4))
                    .toList()
                    .forEach(listener -> listener.accept(message.topic()));
        }
    }

    SimulatedMessageTable messages() {
        return messages;
    }

    /** Subscribes to staged messages by topic. */
    OutboxStore.WakeupSubscription listen(Consumer<String> topics) {
        listeners.add(topics);
        return () -> listeners.remove(topics);
    }
}
