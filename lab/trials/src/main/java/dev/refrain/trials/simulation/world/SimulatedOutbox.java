package dev.refrain.trials.simulation.world;

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
import dev.refrain.trials.simulation.machine.Domain;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The way from one process to the messages, over the same bad line as to the records. */
record SimulatedOutbox(Database database, BadLine line, Domain process) implements OutboxStore<Database.Bookings> {

    @Override
    public void stage(Database.Bookings connection, Staged message) {
        line.statement("stage", () -> {
            connection.stage(message);
            return message;
        });
    }

    @Override
    public List<Taken> leaseMessages(TakeOrder order) {
        return one("take messages", () -> database.messages().take(order));
    }

    @Override
    public Set<RowRef> settle(List<? extends Settlement> settlements) {
        var each = List.<Settlement>copyOf(settlements);
        var settled = new HashSet<RowRef>();
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
    public OutboxTransaction<Database.Bookings> begin() {
        return line.statement("begin of delivery", () -> new SimulatedDelivery(database, line));
    }

    @Override
    public List<DeadLetter> deadLetters(Optional<DeadLetter> after, int limit) {
        throw new UnsupportedOperationException("Nobody looks at dead letters here.");
    }

    @Override
    public int resolveDeadLetters(Decision decision) {
        throw new UnsupportedOperationException("Nobody decides about dead letters here.");
    }

    /** Nothing that was delivered is kept here. */
    @Override
    public int reap(int limit) {
        return one("reap messages", () -> 0);
    }

    @Override
    public Backlog backlog(String topic, int limit) {
        return one("count messages", () -> database.messages().backlog(topic));
    }

    @Override
    public Listening subscribeToCommits(Consumer<String> topics) {
        return database.listen(topic -> process.start("notified", () -> topics.accept(topic)));
    }

    private <A> A one(String what, Supplier<A> call) {
        return line.batch(what, List.of("all"), all -> List.of(call.get())).getFirst();
    }
}
