package dev.refrain.flow.outbox;

import dev.refrain.Environment;
import dev.refrain.observe.Event;
import dev.refrain.observe.Listener;
import dev.refrain.store.StoreException;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.RowRef;
import dev.refrain.store.outbox.Settlement;
import dev.refrain.store.outbox.Taken;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Settles what came back, and tells of it. What cannot be settled is asked for again until its lease is over. */
final class Settler {

    private final Topic topic;
    private final OutboxStore<?> store;
    private final Environment environment;
    private final Listener listener;
    private List<Unsettled> hasPending = new ArrayList<>();

    Settler(Topic topic, OutboxStore<?> store, Environment environment, Listener listener) {
        this.topic = topic;
        this.store = store;
        this.environment = environment;
        this.listener = listener;
    }

    void add(Unsettled back) {
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

    private void settle(List<Unsettled> now) {
        Set<RowRef> settled;
        try {
            settled = store.settle(now.stream().map(Unsettled::settlement).toList());
        } catch (StoreException failed) {
            if (!failed.isTransient() && now.size() > 1) {
                // One of them stands in the way of the others.
                now.forEach(each -> settle(List.of(each)));
                return;
            }
            listener.onEvent(new Event.StoreFailed("outbox-settle", failed));
            if (failed.isTransient()) {
                hasPending.addAll(now);
            }
            return;
        }
        for (var each : now) {
            if (settled.contains(each.settlement().row())) {
                report(each.taken(), each.settlement());
            } else {
                listener.onEvent(new Event.DeliveredLate(topic.name()));
            }
        }
    }

    void report(Taken taken, Settlement settlement) {
        String name = topic.name();
        listener.onEvent(
                switch (settlement) {
                    case Settlement.Delivered delivered -> new Event.Delivered(name, taken.age());
                    case Settlement.Failed failed -> new Event.PutOff(name, Event.Delay.FAILED);
                    case Settlement.Refused refused -> new Event.PutOff(name, Event.Delay.REFUSED);
                    case Settlement.NotSent notSent -> new Event.PutOff(name, Event.Delay.NOT_SENT);
                    case Settlement.Dead dead -> new Event.DeadLettered(name, dead.cause());
                });
    }
}
