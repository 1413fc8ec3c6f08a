package dev.refrain.flow.outbox;

import dev.refrain.Environment;
import dev.refrain.flow.Downstream;
import dev.refrain.observe.Event;
import dev.refrain.observe.Listener;
import dev.refrain.outcome.Codec;
import dev.refrain.recover.Chore;
import dev.refrain.recover.Worker;
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

    private final Map<String, TopicLoop> loops;
    private final List<Worker> workers;
    private OutboxStore.@Nullable Listening listening;

    private Relay(Map<String, TopicLoop> loops, List<Worker> workers) {
        this.loops = loops;
        this.workers = workers;
    }

    public static <C> Builder<C> on(OutboxStore<C> store) {
        return new Builder<>(store);
    }

    private Relay started(OutboxStore<?> store) {
        loops.values().forEach(TopicLoop::start);
        workers.forEach(Worker::start);
        listening = store.subscribeToCommits(this::heard);
        return this;
    }

    private void heard(String topic) {
        if (topic.isEmpty()) {
            loops.values().forEach(TopicLoop::wake);
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
        workers.forEach(Worker::close);
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
        private interface Hiring<C> {
            Courier courier(Builder<C> said);
        }

        private final OutboxStore<C> store;
        private final Map<Topic, Hiring<C>> topics = new LinkedHashMap<>();
        private Codec codec = Codec.standard();
        private Environment environment = Environment.system();
        private Listener listener = Listener.none();
        private Duration poll = POLL;

        private Builder(OutboxStore<C> store) {
            this.store = store;
        }

        /** In this process, with the defaults of {@link Topic#of}. */
        public Builder<C> handle(String topic, Handler<C> handler) {
            return handle(Topic.of(topic), handler);
        }

        public Builder<C> handle(Topic topic, Handler<C> handler) {
            return added(
                    topic, said -> new HandlingCourier<>(topic, said.store, handler, said.codec, said.environment));
        }

        /** To another system, with the defaults of {@link Topic#of}. */
        public Builder<C> sendTo(String topic, Downstream<Delivery, ?> downstream, Target target) {
            return sendTo(Topic.of(topic), downstream, target);
        }

        /** @param downstream what the other side offers where the end of a delivery is not known */
        public Builder<C> sendTo(Topic topic, Downstream<Delivery, ?> downstream, Target target) {
            return added(topic, said -> new SendingCourier(topic, downstream, target, said.codec, said.environment));
        }

        public Builder<C> codec(Codec other) {
            codec = other;
            return this;
        }

        public Builder<C> environment(Environment other) {
            environment = other;
            return this;
        }

        /** Who hears what becomes of messages, such as {@code refrain.listener()}. */
        public Builder<C> listener(Listener other) {
            listener = other.exceptionSafe();
            return this;
        }

        /** How often it looks where nobody wakes it. A second unless said otherwise. */
        public Builder<C> pollInterval(Duration time) {
            poll = time;
            return this;
        }

        public Relay start() {
            var loops = new LinkedHashMap<String, TopicLoop>();
            topics.forEach((topic, hiring) -> loops.put(
                    topic.name(), new TopicLoop(topic, store, hiring.courier(this), poll, environment, listener)));
            return new Relay(loops, workers()).started(store);
        }

        /** Also a relay that keeps nothing reaps: what it kept before, or another one keeps, has its end. */
        private List<Worker> workers() {
            return List.of(
                    new Worker(chore("outbox-backlog", this::count), COUNT_EVERY, environment, listener),
                    new Worker(
                            chore("outbox-reaper", () -> store.reap(REAP_STEP) == REAP_STEP),
                            REAP_EVERY,
                            environment,
                            listener));
        }

        private boolean count() {
            for (var topic : topics.keySet()) {
                listener.onEvent(new Event.BacklogSeen(topic.name(), store.backlog(topic.name(), COUNT_LIMIT)));
            }
            return false;
        }

        private static Chore chore(String name, BooleanSupplier step) {
            return new Chore() {
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

        private Builder<C> added(Topic topic, Hiring<C> hiring) {
            if (topics.keySet().stream().anyMatch(there -> there.name().equals(topic.name()))) {
                throw new IllegalArgumentException("The topic " + topic.name() + " has a target already.");
            }
            topics.put(topic, hiring);
            return this;
        }
    }
}
