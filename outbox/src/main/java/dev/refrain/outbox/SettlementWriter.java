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

/** Settles what came back, and tells of it. What cannot be settled is asked for again until its lease is over. */
final class SettlementWriter {

    private final TopicSettings topic;
    private final OutboxStore<?> store;
    private final ExecutionEnvironment environment;
    private final RefrainListener listener;
    private List<PendingSettlement> hasPending = new ArrayList<>();

    SettlementWriter(
            TopicSettings topic, OutboxStore<?> store, ExecutionEnvironment environment, RefrainListener listener) {
        this.topic = topic;
        this.store = store;
        this.environment = environment;
        this.listener = listener;
    }

    void add(PendingSettlement back) {
        hasPending.add(back);
    }

    boolean hasPending() {
        return !hasPending.isEmpty();
    }

    void settle() {
        if (hasPending.isEmpty()) {
            return;
        }
        var now = hasPending;
        hasPending = new ArrayList<>();
        long nanos = environment.nanoTime();
        now.removeIf(each -> nanos - each.leaseEnd() > 0);
        if (!now.isEmpty()) {
            settle(now);
        }
    }

    private void settle(List<PendingSettlement> now) {
        Set<OutboxRowRef> settled;
        try {
            settled =
                    store.settle(now.stream().map(PendingSettlement::settlement).toList());
        } catch (StoreException failed) {
            if (!failed.isTransient() && now.size() > 1) {
                // One of them stands in the way of the others.
                now.forEach(each -> settle(List.of(each)));
                return;
            }
            listener.onEvent(new RefrainEvent.StoreFailed("outbox-settle", failed));
            if (failed.isTransient()) {
                hasPending.addAll(now);
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
}
