package dev.refrain.outbox;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.StoreException;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxRowRef;
import dev.refrain.store.outbox.OutboxStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Writes settlements and reports them to the listener. One that cannot be written is retried until its lease is over. Each is tried once even
 * after that: as long as no other relay has leased the message, it holds.
 */
final class SettlementWriter {

    private static final System.Logger LOG = System.getLogger(SettlementWriter.class.getName());

    private static final Pattern UNPRINTABLE = Pattern.compile("[^\\x20-\\x7e]");

    private final TopicSettings topic;
    private final OutboxStore<?> store;
    private final ExecutionEnvironment environment;
    private final RefrainListener listener;
    private List<PendingSettlement> pending = new ArrayList<>();

    SettlementWriter(
            TopicSettings topic, OutboxStore<?> store, ExecutionEnvironment environment, RefrainListener listener) {
        this.topic = topic;
        this.store = store;
        this.environment = environment;
        this.listener = listener;
    }

    void add(PendingSettlement back) {
        pending.add(back);
    }

    boolean hasPending() {
        return !pending.isEmpty();
    }

    void settle() {
        if (pending.isEmpty()) {
            return;
        }
        var now = pending;
        pending = new ArrayList<>();
        settle(now);
    }

    private void settle(List<PendingSettlement> now) {
        Set<OutboxRowRef> settled;
        try {
            settled =
                    store.settle(now.stream().map(PendingSettlement::settlement).toList());
        } catch (StoreException failed) {
            if (!failed.isTransient() && now.size() > 1) {
                // One of them blocks the others.
                now.forEach(each -> settle(List.of(each)));
                return;
            }
            listener.onEvent(new RefrainEvent.StoreFailed("outbox-settle", failed));
            if (failed.isTransient()) {
                long nanos = environment.nanoTime();
                now.stream().filter(each -> nanos - each.leaseEnd() <= 0).forEach(pending::add);
            }
            return;
        }
        for (var each : now) {
            if (settled.contains(each.settlement().row())) {
                report(each.taken(), each.settlement());
            } else {
                listener.onEvent(new RefrainEvent.DeliveredLate(topic.name()));
            }
        }
    }

    void report(LeasedMessage taken, MessageSettlement settlement) {
        String name = topic.name();
        if (settlement instanceof MessageSettlement.Dead dead && dead.cause() == MessageSettlement.Cause.UNKNOWN) {
            LOG.log(System.Logger.Level.WARNING, () -> unknownOutcome(taken, dead));
        }
        listener.onEvent(
                switch (settlement) {
                    case MessageSettlement.Delivered delivered -> new RefrainEvent.Delivered(name, taken.age());
                    case MessageSettlement.Failed failed ->
                        new RefrainEvent.DeliveryDelayed(name, RefrainEvent.DelayReason.FAILED);
                    case MessageSettlement.Refused refused ->
                        new RefrainEvent.DeliveryDelayed(name, RefrainEvent.DelayReason.REFUSED);
                    case MessageSettlement.NotSent notSent ->
                        new RefrainEvent.DeliveryDelayed(name, RefrainEvent.DelayReason.NOT_SENT);
                    case MessageSettlement.Dead dead -> new RefrainEvent.DeadLettered(name, dead.cause());
                });
    }

    /** Returns a line without the message's reference and order key, which may be names of people or accounts. */
    private static String unknownOutcome(LeasedMessage taken, MessageSettlement.Dead dead) {
        String line =
                "Unknown outcome of message " + taken.id() + " of topic " + taken.topic() + " after " + taken.attempts()
                        + (taken.attempts() == 1 ? " attempt" : " attempts") + ", now a dead letter: " + dead.reason()
                        + " Then settle it in the console, or by `refrain deadletters resend " + taken.id()
                        + "` or `refrain deadletters discard " + taken.id() + "`.";
        return UNPRINTABLE.matcher(line).replaceAll("?");
    }
}
