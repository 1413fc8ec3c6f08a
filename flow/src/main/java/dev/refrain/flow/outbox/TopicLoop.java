package dev.refrain.flow.outbox;

import dev.refrain.Environment;
import dev.refrain.observe.Event;
import dev.refrain.observe.Listener;
import dev.refrain.store.StoreException;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.Settlement;
import dev.refrain.store.outbox.TakeOrder;
import dev.refrain.store.outbox.Taken;
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
final class TopicLoop {

    private static final long MOST_BYTES = 16L << 20;

    /** How often somebody who found something looks again, for as long as those who stage rely on it. */
    private static final Duration OFTEN = Duration.ofMillis(10);

    private static final Duration STORE_AWAY = Duration.ofMillis(500);

    /** What happened meanwhile. */
    private sealed interface Note {}

    private record Woken() implements Note {}

    /** Nothing did: it has waited long enough. */
    private record Waited() implements Note {}

    /** The time to finish is over. */
    private record Hurry() implements Note {}

    private record Came(Unsettled back) implements Note {}

    private record Ended(Parcel parcel) implements Note {}

    private final Topic topic;
    private final OutboxStore<?> store;
    private final Courier courier;
    private final Duration poll;
    private final Environment environment;
    private final Listener listener;
    private final Settler settler;
    private final Reach reach;
    private final LinkedBlockingQueue<Note> notes = new LinkedBlockingQueue<>();
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

    /** Touched by the loop's own thread only; oldest first. */
    private final Set<Parcel> underWay = new LinkedHashSet<>();

    private volatile boolean closing;
    private long lookAt;
    private long awakeUntil;
    private boolean more;

    TopicLoop(
            Topic topic,
            OutboxStore<?> store,
            Courier courier,
            Duration poll,
            Environment environment,
            Listener listener) {
        this.topic = topic;
        this.store = store;
        this.courier = courier;
        this.poll = poll;
        this.environment = environment;
        this.listener = listener;
        this.settler = new Settler(topic, store, environment, listener);
        this.reach = new Reach(topic, environment);
    }

    void start() {
        lookAt = environment.nanos();
        awakeUntil = lookAt;
        environment.start("refrain-relay-" + topic.name(), this::run);
    }

    /** Somebody has staged something, perhaps for this topic. */
    void wake() {
        notes.add(new Woken());
    }

    private void run() {
        try {
            while (!closing || !underWay.isEmpty() || settler.waiting()) {
                if (!closing && mayTake()) {
                    take();
                }
                heed();
                settler.settle();
                forgetOverdue();
            }
        } finally {
            ended.complete(null);
        }
    }

    private boolean mayTake() {
        long now = environment.nanos();
        int free = topic.atOnce() - underWay.size();
        boolean worthIt = underWay.isEmpty() || free > topic.atOnce() / 4;
        return worthIt && free > 0 && reach.rested() && (more || now - lookAt >= 0);
    }

    private void take() {
        int free = topic.atOnce() - underWay.size();
        int rows = courier.rows(free);
        long begun = environment.nanos();
        List<Taken> taken;
        try {
            taken = store.take(new TakeOrder(topic.name(), topic.lease(), rows, courier.inLane(), MOST_BYTES));
        } catch (StoreException away) {
            listener.on(new Event.StoreFailed("outbox-take", away));
            more = false;
            lookAt = environment.nanos() + STORE_AWAY.toNanos();
            return;
        }
        more = taken.size() == rows;
        if (!taken.isEmpty()) {
            awakeUntil = begun + OutboxStore.AWAKE.toNanos();
            for (var rowsOfOne : courier.parcels(taken, free)) {
                begin(rowsOfOne, begun + topic.lease().toNanos());
            }
        }
        lookAt = environment.nanos() + pause().toNanos();
    }

    /** Often for as long as somebody may rely on it; then now and then, at random, so that many relays do not look at once. */
    private Duration pause() {
        if (environment.nanos() - awakeUntil < 0) {
            return OFTEN;
        }
        return Duration.ofNanos((long) (poll.toNanos() * (0.75 + 0.5 * Backoff.random(environment))));
    }

    private void begin(List<Taken> rows, long leaseEnd) {
        var parcel = new Parcel(rows, leaseEnd);
        underWay.add(parcel);
        environment.start("refrain-delivery-" + topic.name(), () -> {
            parcel.thread = Thread.currentThread();
            try {
                courier.deliver(rows, parcel);
            } finally {
                notes.add(new Ended(parcel));
            }
        });
    }

    /** Waits for the first note, and takes all there are. */
    private void heed() {
        var first = next(mayGoOnAtOnce() ? Duration.ZERO : untilSomethingIsDue());
        if (first != null) {
            var all = new ArrayList<Note>();
            all.add(first);
            notes.drainTo(all);
            all.forEach(this::heed);
        }
    }

    private void heed(Note note) {
        switch (note) {
            case Woken woken -> lookAt = environment.nanos();
            case Waited enough -> {}
            case Hurry hurry -> underWay.forEach(Parcel::interrupt);
            case Came came -> settler.add(came.back());
            case Ended end -> underWay.remove(end.parcel());
        }
    }

    private boolean mayGoOnAtOnce() {
        return !closing && mayTake();
    }

    private Duration untilSomethingIsDue() {
        long wait = poll.toNanos();
        if (!closing && underWay.size() < topic.atOnce()) {
            wait = Math.min(wait, (reach.rested() ? lookAt : reach.restedAt()) - environment.nanos());
        }
        if (settler.waiting()) {
            wait = Math.min(wait, STORE_AWAY.toNanos());
        }
        return Duration.ofNanos(Math.max(0, wait));
    }

    private @Nullable Note next(Duration wait) {
        var there = notes.poll();
        if (there != null || !wait.isPositive()) {
            return there;
        }
        var enough = environment.after(wait, () -> notes.add(new Waited()));
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
    private void forgetOverdue() {
        long now = environment.nanos();
        underWay.removeIf(parcel -> now - parcel.leaseEnd > 0);
    }

    /** Takes nothing new, lets what runs come to its end, then interrupts it, and at last leaves it: then the future ends. */
    Future<?> close(Duration toFinish) {
        closing = true;
        wake();
        var hurry = environment.after(toFinish, () -> notes.add(new Hurry()));
        var leave = environment.after(toFinish.multipliedBy(2), () -> ended.complete(null));
        return ended.thenRun(() -> {
            hurry.cancel();
            leave.cancel();
        });
    }

    /** What is delivered on one thread, and where its courier reports. */
    private final class Parcel implements Courier.Desk {

        private final List<Taken> rows;
        private final long leaseEnd;
        private volatile @Nullable Thread thread;

        Parcel(List<Taken> rows, long leaseEnd) {
            this.rows = rows;
            this.leaseEnd = leaseEnd;
        }

        @Override
        public boolean open() {
            return !closing && leaseEnd - environment.nanos() > topic.within().toNanos();
        }

        @Override
        public void settle(Taken taken, Settlement settlement) {
            notes.add(new Came(new Unsettled(taken, settlement, leaseEnd)));
        }

        @Override
        public void settled(Taken taken, Settlement settlement) {
            settler.report(taken, settlement);
        }

        @Override
        public void reached() {
            reach.found();
        }

        @Override
        public Duration unreachable() {
            return reach.missed();
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
