package dev.refrain.outbox;

import dev.refrain.Refrain;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.StoreException;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Takes messages of one topic, gives them to the courier in parcels, and settles what comes back: whatever came back while the store was
 * asked is settled together. A topic that hangs or fails does not hold up another one.
 */
final class TopicRelay {

    private static final long MOST_BYTES = 16L << 20;

    /** How often somebody who found something looks again, for as long as those who stage rely on it. */
    private static final Duration OFTEN = Duration.ofMillis(10);

    private static final Duration STORE_AWAY = Duration.ofMillis(500);

    /** What happened meanwhile. */
    private sealed interface LoopEvent {}

    private record WakeUp() implements LoopEvent {}

    /** Nothing did: it has waited long enough. */
    private record PollTimeout() implements LoopEvent {}

    /** The time to finish is over. */
    private record DrainTimeout() implements LoopEvent {}

    private record SettlementReady(PendingSettlement back) implements LoopEvent {}

    private record BatchEnded(DeliveryBatch parcel) implements LoopEvent {}

    private final TopicSettings topic;
    private final OutboxStore<?> store;
    private final MessageDispatcher courier;
    private final Duration poll;
    private final ExecutionEnvironment environment;
    private final RefrainListener listener;
    private final SettlementWriter settler;
    private final TargetHealth reach;
    private final LinkedBlockingQueue<LoopEvent> notes = new LinkedBlockingQueue<>();
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

    /** Touched by the loop's own thread only; oldest first. */
    private final Set<DeliveryBatch> underWay = new LinkedHashSet<>();

    private volatile boolean closing;
    private long lookAt;
    private long awakeUntil;
    private boolean more;

    TopicRelay(TopicSettings topic, OutboxStore<?> store, MessageDispatcher courier, Duration poll, Refrain refrain) {
        this.topic = topic;
        this.store = store;
        this.courier = courier;
        this.poll = poll;
        this.environment = refrain.environment();
        this.listener = refrain.listener();
        this.settler = new SettlementWriter(topic, store, environment, listener);
        this.reach = new TargetHealth(topic, environment);
    }

    void start() {
        lookAt = environment.nanoTime();
        awakeUntil = lookAt;
        environment.startThread("refrain-relay-" + topic.name(), this::run);
    }

    /** Somebody has staged something, perhaps for this topic. */
    void wake() {
        notes.add(new WakeUp());
    }

    private void run() {
        try {
            while (!closing || !underWay.isEmpty() || settler.hasPending()) {
                if (!closing && mayTakeMessages()) {
                    take();
                }
                handleEvents();
                settler.settle();
                dropExpiredBatches();
            }
        } finally {
            ended.complete(null);
        }
    }

    private boolean mayTakeMessages() {
        long now = environment.nanoTime();
        int free = topic.maxConcurrent() - underWay.size();
        boolean worthIt = underWay.isEmpty() || free > topic.maxConcurrent() / 4;
        return worthIt && free > 0 && reach.mayRetry() && (more || now - lookAt >= 0);
    }

    private void take() {
        int free = topic.maxConcurrent() - underWay.size();
        int rows = courier.rowsToTake(free);
        long begun = environment.nanoTime();
        List<LeasedMessage> taken;
        try {
            taken = store.leaseMessages(
                    new MessageLeaseRequest(topic.name(), topic.lease(), rows, courier.maxRowsPerLane(), MOST_BYTES));
        } catch (StoreException away) {
            listener.onEvent(new RefrainEvent.StoreFailed("outbox-take", away));
            more = false;
            lookAt = environment.nanoTime() + STORE_AWAY.toNanos();
            return;
        }
        more = taken.size() == rows;
        if (!taken.isEmpty()) {
            awakeUntil = begun + OutboxStore.ACTIVE_POLLING_PERIOD.toNanos();
            for (var rowsOfOne : courier.batches(taken, free)) {
                begin(rowsOfOne, begun + topic.lease().toNanos());
            }
        }
        lookAt = environment.nanoTime() + pause().toNanos();
    }

    /** Often for as long as somebody may rely on it; then now and then, at random, so that many relays do not look at once. */
    private Duration pause() {
        if (environment.nanoTime() - awakeUntil < 0) {
            return OFTEN;
        }
        return Duration.ofNanos((long) (poll.toNanos() * (0.75 + 0.5 * DeliveryBackoff.random(environment))));
    }

    private void begin(List<LeasedMessage> rows, long leaseEnd) {
        var parcel = new DeliveryBatch(rows, leaseEnd);
        underWay.add(parcel);
        environment.startThread("refrain-delivery-" + topic.name(), () -> {
            parcel.thread = Thread.currentThread();
            try {
                courier.deliver(rows, parcel);
            } finally {
                notes.add(new BatchEnded(parcel));
            }
        });
    }

    /** Waits for the first note, and takes all there are. */
    private void handleEvents() {
        var first = next(mayGoOnAtOnce() ? Duration.ZERO : untilSomethingIsDue());
        if (first != null) {
            var all = new ArrayList<LoopEvent>();
            all.add(first);
            notes.drainTo(all);
            all.forEach(this::handleEvents);
        }
    }

    private void handleEvents(LoopEvent note) {
        switch (note) {
            case WakeUp woken -> lookAt = environment.nanoTime();
            case PollTimeout enough -> {}
            case DrainTimeout hurry -> underWay.forEach(DeliveryBatch::interrupt);
            case SettlementReady came -> settler.add(came.back());
            case BatchEnded end -> underWay.remove(end.parcel());
        }
    }

    private boolean mayGoOnAtOnce() {
        return !closing && mayTakeMessages();
    }

    private Duration untilSomethingIsDue() {
        long wait = poll.toNanos();
        if (!closing && underWay.size() < topic.maxConcurrent()) {
            wait = Math.min(wait, (reach.mayRetry() ? lookAt : reach.retryAt()) - environment.nanoTime());
        }
        if (settler.hasPending()) {
            wait = Math.min(wait, STORE_AWAY.toNanos());
        }
        return Duration.ofNanos(Math.max(0, wait));
    }

    private @Nullable LoopEvent next(Duration wait) {
        var there = notes.poll();
        if (there != null || !wait.isPositive()) {
            return there;
        }
        var enough = environment.schedule(wait, () -> notes.add(new PollTimeout()));
        try {
            return notes.take();
        } catch (InterruptedException e) {
            // Nobody has a reason to: it ends by being closed.
            return null;
        } finally {
            enough.cancel();
        }
    }

    /** What does not come back although its lease is over is somebody else's by now. */
    private void dropExpiredBatches() {
        long now = environment.nanoTime();
        underWay.removeIf(parcel -> now - parcel.leaseEnd > 0);
    }

    /** Takes nothing new, lets what runs come to its end, then interrupts it, and at last leaves it: then the future ends. */
    Future<?> close(Duration toFinish) {
        closing = true;
        wake();
        var hurry = environment.schedule(toFinish, () -> notes.add(new DrainTimeout()));
        var leave = environment.schedule(toFinish.multipliedBy(2), () -> ended.complete(null));
        return ended.thenRun(() -> {
            hurry.cancel();
            leave.cancel();
        });
    }

    /** What is delivered on one thread, and where its courier reports. */
    private final class DeliveryBatch implements MessageDispatcher.DeliveryCallback {

        private final List<LeasedMessage> rows;
        private final long leaseEnd;
        private volatile @Nullable Thread thread;

        DeliveryBatch(List<LeasedMessage> rows, long leaseEnd) {
            this.rows = rows;
            this.leaseEnd = leaseEnd;
        }

        @Override
        public boolean open() {
            return !closing
                    && leaseEnd - environment.nanoTime() > topic.timeout().toNanos();
        }

        @Override
        public void settle(LeasedMessage taken, MessageSettlement settlement) {
            notes.add(new SettlementReady(new PendingSettlement(taken, settlement, leaseEnd)));
        }

        @Override
        public void settled(LeasedMessage taken, MessageSettlement settlement) {
            settler.report(taken, settlement);
        }

        @Override
        public void reached() {
            reach.markReachable();
        }

        @Override
        public Duration unreachable() {
            return reach.markUnreachable();
        }

        private void interrupt() {
            var running = thread;
            if (running != null) {
                running.interrupt();
            }
        }

        @Override
        public String toString() {
            return "Parcel of " + rows.size();
        }
    }
}
