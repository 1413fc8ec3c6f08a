package dev.refrain.trials.simulation.teeth;

import dev.refrain.store.outbox.DeadLetter;
import dev.refrain.store.outbox.DeadLetterDecision;
import dev.refrain.store.outbox.DeliveryTransaction;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxRowRef;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.StagedMessage;
import dev.refrain.store.outbox.StagingListener;
import dev.refrain.store.outbox.TopicBacklog;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Correct outbox whose subclasses break one thing. */
abstract class MutantOutbox<C> implements OutboxStore<C> {

    private final OutboxStore<C> outbox;

    MutantOutbox(OutboxStore<C> outbox) {
        this.outbox = outbox;
    }

    @Override
    public void stage(C connection, StagedMessage message) {
        outbox.stage(connection, message);
    }

    @Override
    public List<LeasedMessage> leaseMessages(MessageLeaseRequest order) {
        return outbox.leaseMessages(order);
    }

    @Override
    public Set<OutboxRowRef> settle(List<? extends MessageSettlement> settlements) {
        return outbox.settle(settlements);
    }

    @Override
    public DeliveryTransaction<C> begin() {
        return outbox.begin();
    }

    @Override
    public DeliveryTransaction<C> begin(Duration timeout) {
        return outbox.begin(timeout);
    }

    @Override
    public List<DeadLetter> deadLetters(@Nullable DeadLetter after, int limit) {
        return outbox.deadLetters(after, limit);
    }

    @Override
    public Optional<DeadLetter> findDeadLetter(String topic, String reference) {
        return outbox.findDeadLetter(topic, reference);
    }

    @Override
    public int resolveDeadLetters(DeadLetterDecision decision) {
        return outbox.resolveDeadLetters(decision);
    }

    @Override
    public int reap(int limit) {
        return outbox.reap(limit);
    }

    @Override
    public TopicBacklog backlog(String topic, int limit) {
        return outbox.backlog(topic, limit);
    }

    @Override
    public WakeupSubscription subscribeToCommits(StagingListener listener) {
        return outbox.subscribeToCommits(listener);
    }
}
