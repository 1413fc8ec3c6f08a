package dev.refrain.outbox;

import dev.refrain.BackgroundWorker;
import dev.refrain.Refrain;
import dev.refrain.api.BackgroundTask;
import dev.refrain.api.Downstream;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.StagingListener;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Delivers staged messages, each topic to its handler or target. Any number of relays may run at once, in any number of instances.
 *
 * {@snippet :
 * var relay = Relay.on(refrain, store.outbox())
 *         .handle("receipts", (tx, delivery) -> insertReceipt(tx, delivery.bodyAs(Receipt.class)))
 *         .sendTo("webhooks", Downstream.honoursKeys(Duration.ofHours(24)), HttpTarget.to(uri).signer(signer).build())
 *         .start();
 * }
 *
 * <p>Messages of a topic that no relay delivers wait. Uses the codec, listener and environment of its {@link Refrain}; close the relay before
 * Refrain and the store.
 */
public final class Relay implements AutoCloseable {

    private static final Duration TIME_TO_FINISH = Duration.ofSeconds(30);

    private final Map<String, TopicRelay> loops;
    private final List<BackgroundWorker> workers;
    private OutboxStore.@Nullable WakeupSubscription listening;

    private Relay(Map<String, TopicRelay> loops, List<BackgroundWorker> workers) {
        this.loops = loops;
        this.workers = workers;
    }

    /**
     * Returns a builder for a relay that delivers the messages of an outbox.
     *
     * @throws IllegalArgumentException if the Refrain's store encrypts and this one does not
     */
    public static <C> Builder<C> on(Refrain refrain, OutboxStore<C> store) {
        refrain.requireOwnOutbox(store, "Cannot deliver messages");
        return new Builder<>(refrain, store);
    }

    private Relay started(OutboxStore<?> store) {
        // First, because it fails where there are too few connections.
        listening = store.subscribeToCommits(new StagingListener() {
            @Override
            public void committed(String topic) {
                forEach(topic, TopicRelay::committed);
            }

            @Override
            public void staged(String topic) {
                forEach(topic, TopicRelay::staged);
            }
        });
        loops.values().forEach(TopicRelay::start);
        workers.forEach(BackgroundWorker::start);
        return this;
    }

    private void forEach(String topic, Consumer<TopicRelay> report) {
        if (topic.isEmpty()) {
            loops.values().forEach(report);
        } else {
            var loop = loops.get(topic);
            if (loop != null) {
                report.accept(loop);
            }
        }
    }

    /** Closes the relay within 30 s; see {@link #close(Duration)}. */
    @Override
    public void close() {
        close(TIME_TO_FINISH);
    }

    /**
     * Takes no more messages, releases those whose delivery has not begun, waits for the others, and then interrupts them.
     *
     * @param toFinish how long to wait for deliveries that are under way
     */
    public void close(Duration toFinish) {
        if (listening != null) {
            listening.close();
        }
        workers.forEach(BackgroundWorker::close);
        var ends = loops.values().stream().map(loop -> loop.close(toFinish)).toList();
        try {
            for (var end : ends) {
                end.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("Cannot close the relay: one of its loops failed.", e);
        }
    }

    /** Declares which topics a relay delivers, and where to. */
    public static final class Builder<C> {

        private static final Duration POLL = Duration.ofSeconds(1);
        private static final Duration COUNT_EVERY = Duration.ofSeconds(15);
        private static final Duration REAP_EVERY = Duration.ofMinutes(1);
        private static final int REAP_STEP = 500;
        private static final int COUNT_LIMIT = 10_000;

        /** Makes the dispatcher of a topic when the relay starts. */
        @FunctionalInterface
        private interface DispatcherFactory {
            MessageDispatcher create();
        }

        private final Refrain refrain;
        private final OutboxStore<C> store;
        private final Map<TopicSettings, DispatcherFactory> topics = new LinkedHashMap<>();
        private Duration pollInterval = POLL;

        private Builder(Refrain refrain, OutboxStore<C> store) {
            this.refrain = refrain;
            this.store = store;
        }

        /** Delivers a topic to a handler in this process, with the defaults of {@link TopicSettings#of}. */
        public Builder<C> handle(String topic, OutboxHandler<C> handler) {
            return handle(TopicSettings.of(topic), handler);
        }

        /** Delivers a topic to a handler in this process. */
        public Builder<C> handle(TopicSettings topic, OutboxHandler<C> handler) {
            return add(topic, () -> new HandlerDispatcher<>(topic, store, handler, refrain));
        }

        /** Delivers a topic to another system, with the defaults of {@link TopicSettings#of}. */
        public Builder<C> sendTo(String topic, Downstream<MessageDelivery, ?> downstream, OutboxTarget target) {
            return sendTo(TopicSettings.of(topic), downstream, target);
        }

        /**
         * Delivers a topic to another system.
         *
         * @param downstream the guarantee of the other system, which decides whether a message that may have arrived is sent again
         */
        public Builder<C> sendTo(TopicSettings topic, Downstream<MessageDelivery, ?> downstream, OutboxTarget target) {
            return add(topic, () -> new TargetDispatcher(topic, downstream, target, refrain));
        }

        /** Sets how often to poll when no commit wakes the relay; 1 s by default. */
        public Builder<C> pollInterval(Duration interval) {
            pollInterval = interval;
            return this;
        }

        /**
         * Starts the relay.
         *
         * @throws dev.refrain.store.StoreException if it needs connections that the store's pool does not have, where its size is known
         */
        public Relay start() {
            var loops = new LinkedHashMap<String, TopicRelay>();
            topics.forEach((topic, dispatcher) ->
                    loops.put(topic.name(), new TopicRelay(topic, store, dispatcher.create(), pollInterval, refrain)));
            return new Relay(loops, workers()).started(store);
        }

        /** Returns the workers of a relay. It reaps also if it keeps nothing itself: another relay may have kept messages. */
        private List<BackgroundWorker> workers() {
            return List.of(
                    worker(COUNT_EVERY, "outbox-backlog", this::count),
                    worker(REAP_EVERY, "outbox-reaper", () -> store.reap(REAP_STEP) == REAP_STEP));
        }

        private BackgroundWorker worker(Duration interval, String name, BooleanSupplier step) {
            return new BackgroundWorker(task(name, step), interval, refrain.environment(), refrain.listener());
        }

        private boolean count() {
            for (var topic : topics.keySet()) {
                refrain.listener()
                        .onEvent(new RefrainEvent.BacklogMeasured(
                                topic.name(), store.backlog(topic.name(), COUNT_LIMIT)));
            }
            return false;
        }

        private static BackgroundTask task(String name, BooleanSupplier step) {
            return new BackgroundTask() {
                @Override
                public String name() {
                    return name;
                }

                @Override
                public boolean runStep() {
                    return step.getAsBoolean();
                }
            };
        }

        private Builder<C> add(TopicSettings topic, DispatcherFactory dispatcher) {
            if (topics.keySet().stream().anyMatch(there -> there.name().equals(topic.name()))) {
                throw new IllegalArgumentException(
                        "Cannot add topic " + topic.name() + ": this relay delivers it already.");
            }
            topics.put(topic, dispatcher);
            return this;
        }
    }
}
