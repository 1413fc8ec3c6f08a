package dev.refrain.trials.simulation.world;

import dev.refrain.store.outbox.DeadLetter;
import dev.refrain.store.outbox.DeadLetterDecision;
import dev.refrain.store.outbox.DeliveryTransaction;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageLeaseRequest.Durability;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxRowRef;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.StagedMessage;
import dev.refrain.store.outbox.StagingListener;
import dev.refrain.store.outbox.TopicBacklog;
import dev.refrain.trials.simulation.machine.SimulatedThreadGroup;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Outbox as one process reaches it, over the same faulty link as its records. */
record SimulatedOutbox(SimulatedDatabase database, FaultyStoreLink line, SimulatedThreadGroup process)
        implements OutboxStore<SimulatedDatabase.Bookings> {

    @Override
    public void stage(SimulatedDatabase.Bookings connection, StagedMessage message) {
        line.statement("stage", () -> {
            connection.stage(message);
            return message;
        });
        database.reportStaged(process, message.topic());
    }

    @Override
    public List<LeasedMessage> leaseMessages(MessageLeaseRequest order) {
        var taken = one("take messages", () -> database.messages().take(order, process));
        if (order.durability() == Durability.FORGOTTEN_IN_CRASHES) {
            database.mayForget(taken, order.lease(), process);
        }
        return taken;
    }

    @Override
    public Set<OutboxRowRef> settle(List<? extends MessageSettlement> settlements) {
        var each = List.<MessageSettlement>copyOf(settlements);
        var settled = new HashSet<OutboxRowRef>();
        line.batch(
                        "settle messages",
                        each,
                        all -> all.stream()
                                .map(one -> database.messages().settle(List.of(one)))
                                .toList())
                .forEach(settled::addAll);
        return settled;
    }

    @Override
    public DeliveryTransaction<SimulatedDatabase.Bookings> begin() {
        return line.statement("begin of delivery", () -> new SimulatedDelivery(database, line, process));
    }

    /** Lists all of them: there are few. */
    @Override
    public List<DeadLetter> deadLetters(@Nullable DeadLetter after, int limit) {
        return one("list dead letters", () -> database.messages().deadLetters());
    }

    @Override
    public Optional<DeadLetter> findDeadLetter(String topic, String reference) {
        return one("find a dead letter", () -> database.messages().findDeadLetter(topic, reference));
    }

    @Override
    public int resolveDeadLetters(DeadLetterDecision decision) {
        return one("decide on dead letters", () -> database.messages().resolve(decision));
    }

    /** Deletes nothing: delivered messages are not kept here. */
    @Override
    public int reap(int limit) {
        return one("reap messages", () -> 0);
    }

    @Override
    public TopicBacklog backlog(String topic, int limit) {
        return one("count messages", () -> database.messages().backlog(topic));
    }

    @Override
    public WakeupSubscription subscribeToCommits(StagingListener listener) {
        return database.listen(process, listener);
    }

    private <A> A one(String what, Supplier<A> call) {
        return line.batch(what, List.of("all"), all -> List.of(call.get())).getFirst();
    }
}
