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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Loop of one topic: leases messages, has them delivered in batches, and writes their settlements together. A topic that hangs or fails
 * does not delay another one.
 */
final class TopicRelay {

    private static final long MOST_BYTES = 16L << 20;

    private static final Duration STORE_AWAY = Duration.ofMillis(500);

    /** Event that the loop waits for. */
    private sealed interface LoopEvent {}

    /** Messages were staged or committed, or the loop is to end. */
    private record WakeUp() implements LoopEvent {}

    /** Nothing happened within the poll interval. */
    private record PollTimeout() implements LoopEvent {}

    /** The time to finish is over. */
    private record DrainTimeout() implements LoopEvent {}

    private record SettlementReady(PendingSettlement back) implements LoopEvent {}

    private record BatchEnded(DeliveryBatch batch) implements LoopEvent {}

    private final TopicSettings topic;
    private final OutboxStore<?> store;
    private final MessageDispatcher dispatcher;
    private final Duration poll;
    private final ExecutionEnvironment environment;
    private final RefrainListener listener;
    private final SettlementWriter settler;
    private final RelayTargetHealth reach;
    private final LinkedBlockingQueue<LoopEvent> events = new LinkedBlockingQueue<>();
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

    /** Batches under way, oldest first; used by the loop's own thread only. */
    private final Set<DeliveryBatch> underWay = new LinkedHashSet<>();

    private final PollSchedule schedule;

    /** Whether messages were committed since the last poll began: one event is enough however many they are. */
    private final AtomicBoolean committed = new AtomicBoolean();

    /** How many messages were staged since then. */
    private final AtomicInteger staged = new AtomicInteger();

    private volatile boolean closing;
    private boolean more;

    TopicRelay(
            TopicSettings topic, OutboxStore<?> store, MessageDispatcher dispatcher, Duration poll, Refrain refrain) {
        this.topic = topic;
        this.store = store;
        this.dispatcher = dispatcher;
        this.poll = poll;
        this.schedule = new PollSchedule(poll, refrain.environment());
        this.environment = refrain.environment();
        this.listener = refrain.listener();
        this.settler = new SettlementWriter(topic, store, environment, listener);
        this.reach = new RelayTargetHealth(topic, environment);
    }

    void start() {
        environment.startThread("refrain-relay-" + topic.name(), this::run);
    }

    /** Wakes the loop after a commit. */
    void committed() {
        if (!committed.getAndSet(true)) {
            events.add(new WakeUp());
        }
    }

    /** Wakes the loop before a commit. */
    void staged() {
        if (staged.getAndIncrement() == 0) {
            events.add(new WakeUp());
        }
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
        return hasRoom() && reach.mayRetry() && (more || environment.nanoTime() - nextPoll() >= 0);
    }

    /** Returns whether enough deliveries can begin to be worth a poll; the end of one that is under way is an event. */
    private boolean hasRoom() {
        int free = topic.maxConcurrent() - underWay.size();
        return free > 0 && (underWay.isEmpty() || free > topic.maxConcurrent() / 4);
    }

    private long nextPoll() {
        return underWay.isEmpty() ? schedule.next() : schedule.nextBesideDeliveries();
    }

    private void take() {
        int free = topic.maxConcurrent() - underWay.size();
        int rows = dispatcher.rowsToLease(free);
        // Before the poll, which may not see what is reported from now on.
        committed.set(false);
        int expected = staged.getAndSet(0);
        long begun = environment.nanoTime();
        List<LeasedMessage> taken;
        try {
            taken = store.leaseMessages(new MessageLeaseRequest(
                    topic.name(),
                    topic.lease(),
                    dispatcher.durability(),
                    rows,
                    dispatcher.maxRowsPerLane(),
                    MOST_BYTES));
        } catch (StoreException away) {
            listener.onEvent(new RefrainEvent.StoreFailed("outbox-take", away));
            more = false;
            schedule.failed(STORE_AWAY);
            return;
        }
        more = taken.size() == rows;
        schedule.polled(begun, expected, taken.size());
        if (!taken.isEmpty()) {
            for (var rowsOfOne : dispatcher.batches(taken, free)) {
                begin(rowsOfOne, begun + topic.lease().toNanos());
            }
        }
    }

    private void begin(List<LeasedMessage> rows, long leaseEnd) {
        var batch = new DeliveryBatch(rows, leaseEnd);
        underWay.add(batch);
        environment.startThread("refrain-delivery-" + topic.name(), () -> {
            batch.thread = Thread.currentThread();
            try {
                dispatcher.deliver(rows, batch);
            } finally {
                events.add(new BatchEnded(batch));
            }
        });
    }

    /** Waits for an event, and handles all there are. */
    private void handleEvents() {
        var first = next(mayGoOnAtOnce() ? Duration.ZERO : untilSomethingIsDue());
        if (first != null) {
            var all = new ArrayList<LoopEvent>();
            all.add(first);
            events.drainTo(all);
            all.forEach(this::handleEvents);
        }
    }

    private void handleEvents(LoopEvent event) {
        switch (event) {
            case WakeUp woken -> {
                if (staged.get() > 0) {
                    schedule.staged();
                }
                if (committed.get()) {
                    schedule.committed();
                }
            }
            case PollTimeout enough -> {}
            case DrainTimeout hurry -> underWay.forEach(DeliveryBatch::interrupt);
            case SettlementReady came -> settler.add(came.back());
            case BatchEnded end -> {
                underWay.remove(end.batch());
                if (end.batch().isOrdered()) {
                    // The next one of the lane can be leased now.
                    schedule.unblocked();
                }
            }
        }
    }

    private boolean mayGoOnAtOnce() {
        return !closing && mayTakeMessages();
    }

    private Duration untilSomethingIsDue() {
        long wait = poll.toNanos();
        if (!closing && hasRoom()) {
            wait = Math.min(wait, (reach.mayRetry() ? nextPoll() : reach.retryAt()) - environment.nanoTime());
        }
        if (settler.hasPending()) {
            wait = Math.min(wait, STORE_AWAY.toNanos());
        }
        return Duration.ofNanos(Math.max(0, wait));
    }

    private @Nullable LoopEvent next(Duration wait) {
        var there = events.poll();
        if (there != null || !wait.isPositive()) {
            return there;
        }
        var enough = environment.schedule(wait, () -> events.add(new PollTimeout()));
        try {
            return events.take();
        } catch (InterruptedException e) {
            // The loop ends by being closed, not by an interrupt.
            return null;
        } finally {
            enough.cancel();
        }
    }

    /** Forgets batches whose lease is over: another relay has their messages. */
    private void dropExpiredBatches() {
        long now = environment.nanoTime();
        underWay.removeIf(batch -> now - batch.leaseEnd > 0);
    }

    /** Leases no more messages, waits for deliveries, then interrupts them, and at last abandons them; then the future completes. */
    Future<?> close(Duration toFinish) {
        closing = true;
        events.add(new WakeUp());
        var hurry = environment.schedule(toFinish, () -> events.add(new DrainTimeout()));
        var leave = environment.schedule(toFinish.multipliedBy(2), () -> ended.complete(null));
        return ended.thenRun(() -> {
            hurry.cancel();
            leave.cancel();
        });
    }

    /** Batch that is delivered on one thread, and receiver of its settlements. */
    private final class DeliveryBatch implements MessageDispatcher.DeliveryCallback {

        private final List<LeasedMessage> rows;
        private final long leaseEnd;
        private volatile @Nullable Thread thread;

        DeliveryBatch(List<LeasedMessage> rows, long leaseEnd) {
            this.rows = rows;
            this.leaseEnd = leaseEnd;
        }

        @Override
        public boolean mayDeliver() {
            return !closing
                    && leaseEnd - environment.nanoTime() > topic.timeout().toNanos();
        }

        @Override
        public void settle(LeasedMessage taken, MessageSettlement settlement) {
            events.add(new SettlementReady(new PendingSettlement(taken, settlement, leaseEnd)));
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

        private boolean isOrdered() {
            return rows.getFirst().lane().isPresent();
        }

        private void interrupt() {
            var running = thread;
            if (running != null) {
                running.interrupt();
            }
        }

        @Override
        public String toString() {
            return "Batch of " + rows.size();
        }
    }
}
