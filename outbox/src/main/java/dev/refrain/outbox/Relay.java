package dev.refrain.outbox;

import dev.refrain.BackgroundWorker;
import dev.refrain.ValueCodec;
import dev.refrain.api.BackgroundTask;
import dev.refrain.api.Downstream;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.outbox.OutboxStore;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Delivers staged messages, each topic to its target. Any number of relays may run at once, in any number of processes.
 *
 * {@snippet :
 * try (var relay = Relay.on(store.outbox())
 *         .handle("receipts", (tx, delivery) -> insertReceipt(tx, delivery.as(Receipt.class)))
 *         .send("webhooks", Downstream.honoursKeys(Duration.ofHours(24)), HttpTarget.to(uri).signedBy(secret).build())
 *         .start()) {
 *     …
 * }
 * }
 *
 * <p>Messages of a topic that no relay has wait.
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

    public static <C> Builder<C> on(OutboxStore<C> store) {
        return new Builder<>(store);
    }

    private Relay started(OutboxStore<?> store) {
        loops.values().forEach(TopicRelay::start);
        workers.forEach(BackgroundWorker::start);
        listening = store.subscribeToCommits(this::heard);
        return this;
    }

    private void heard(String topic) {
        if (topic.isEmpty()) {
            loops.values().forEach(TopicRelay::wake);
        } else {
            var loop = loops.get(topic);
            if (loop != null) {
                loop.wake();
            }
        }
    }

    /** Takes nothing new, gives what is under way half a minute to end, and gives back what has not begun. */
    @Override
    public void close() {
        close(TIME_TO_FINISH);
    }

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
            throw new IllegalStateException("Closing a relay", e);
        }
    }

    /** What a relay delivers, and where to. */
    public static final class Builder<C> {

        private static final Duration POLL = Duration.ofSeconds(1);
        private static final Duration COUNT_EVERY = Duration.ofSeconds(15);
        private static final Duration REAP_EVERY = Duration.ofMinutes(1);
        private static final int REAP_STEP = 500;
        private static final int COUNT_LIMIT = 10_000;

        /** A courier needs what may be set after its topic was named. */
        @FunctionalInterface
        private interface DispatcherFactory<C> {
            MessageDispatcher courier(Builder<C> said);
        }

        private final OutboxStore<C> store;
        private final Map<TopicSettings, DispatcherFactory<C>> topics = new LinkedHashMap<>();
        private ValueCodec codec = ValueCodec.standard();
        private ExecutionEnvironment environment = ExecutionEnvironment.system();
        private RefrainListener listener = RefrainListener.none();
        private Duration poll = POLL;

        private Builder(OutboxStore<C> store) {
            this.store = store;
        }

        /** In this process, with the defaults of {@link TopicSettings#of}. */
        public Builder<C> handle(String topic, OutboxHandler<C> handler) {
            return handle(TopicSettings.of(topic), handler);
        }

        public Builder<C> handle(TopicSettings topic, OutboxHandler<C> handler) {
            return added(
                    topic, said -> new HandlerDispatcher<>(topic, said.store, handler, said.codec, said.environment));
        }

        /** To another system, with the defaults of {@link TopicSettings#of}. */
        public Builder<C> sendTo(String topic, Downstream<MessageDelivery, ?> downstream, OutboxTarget target) {
            return sendTo(TopicSettings.of(topic), downstream, target);
        }

        /** @param downstream what the other side offers where the end of a delivery is not known */
        public Builder<C> sendTo(TopicSettings topic, Downstream<MessageDelivery, ?> downstream, OutboxTarget target) {
            return added(topic, said -> new TargetDispatcher(topic, downstream, target, said.codec, said.environment));
        }

        public Builder<C> codec(ValueCodec other) {
            codec = other;
            return this;
        }

        public Builder<C> environment(ExecutionEnvironment other) {
            environment = other;
            return this;
        }

        /** Who hears what becomes of messages, such as {@code refrain.listener()}. */
        public Builder<C> listener(RefrainListener other) {
            listener = other.exceptionSafe();
            return this;
        }

        /** How often it looks where nobody wakes it. A second unless said otherwise. */
        public Builder<C> pollInterval(Duration time) {
            poll = time;
            return this;
        }

        public Relay start() {
            var loops = new LinkedHashMap<String, TopicRelay>();
            topics.forEach((topic, hiring) -> loops.put(
                    topic.name(), new TopicRelay(topic, store, hiring.courier(this), poll, environment, listener)));
            return new Relay(loops, workers()).started(store);
        }

        /** Also a relay that keeps nothing reaps: what it kept before, or another one keeps, has its end. */
        private List<BackgroundWorker> workers() {
            return List.of(
                    new BackgroundWorker(chore("outbox-backlog", this::count), COUNT_EVERY, environment, listener),
                    new BackgroundWorker(
                            chore("outbox-reaper", () -> store.reap(REAP_STEP) == REAP_STEP),
                            REAP_EVERY,
                            environment,
                            listener));
        }

        private boolean count() {
            for (var topic : topics.keySet()) {
                listener.onEvent(
                        new RefrainEvent.BacklogMeasured(topic.name(), store.backlog(topic.name(), COUNT_LIMIT)));
            }
            return false;
        }

        private static BackgroundTask chore(String name, BooleanSupplier step) {
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

        private Builder<C> added(TopicSettings topic, DispatcherFactory<C> hiring) {
            if (topics.keySet().stream().anyMatch(there -> there.name().equals(topic.name()))) {
                throw new IllegalArgumentException("The topic " + topic.name() + " has a target already.");
            }
            topics.put(topic, hiring);
            return this;
        }
    }
}
