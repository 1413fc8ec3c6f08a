package dev.refrain.trials.simulation.teeth;

import dev.refrain.store.outbox.Backlog;
import dev.refrain.store.outbox.DeadLetter;
import dev.refrain.store.outbox.Decision;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.OutboxTransaction;
import dev.refrain.store.outbox.RowRef;
import dev.refrain.store.outbox.Settlement;
import dev.refrain.store.outbox.Staged;
import dev.refrain.store.outbox.TakeOrder;
import dev.refrain.store.outbox.Taken;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Messages that are kept right, for others to do one thing wrong. */
abstract class TamperedOutbox<C> implements OutboxStore<C> {

    private final OutboxStore<C> outbox;

    TamperedOutbox(OutboxStore<C> outbox) {
        this.outbox = outbox;
    }

    @Override
    public void stage(C connection, Staged message) {
        outbox.stage(connection, message);
    }

    @Override
    public List<Taken> leaseMessages(TakeOrder order) {
        return outbox.leaseMessages(order);
    }

    @Override
    public Set<RowRef> settle(List<? extends Settlement> settlements) {
        return outbox.settle(settlements);
    }

    @Override
    public OutboxTransaction<C> begin() {
        return outbox.begin();
    }

    @Override
    public List<DeadLetter> deadLetters(Optional<DeadLetter> after, int limit) {
        return outbox.deadLetters(after, limit);
    }

    @Override
    public int resolveDeadLetters(Decision decision) {
        return outbox.resolveDeadLetters(decision);
    }

    @Override
    public int reap(int limit) {
        return outbox.reap(limit);
    }

    @Override
    public Backlog backlog(String topic, int limit) {
        return outbox.backlog(topic, limit);
    }

    @Override
    public Listening subscribeToCommits(Consumer<String> topics) {
        return outbox.subscribeToCommits(topics);
    }
}
