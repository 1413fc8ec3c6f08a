package dev.refrain.gateway;

import dev.refrain.store.FairRequestQueue;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Queue of requests that wait for a connection to the upstream: scopes in turn, and each in order of arrival, so that a flood of one delays the
 * requests of others by a turn. A request that would wait for longer than half its patience, at the pace of the moment, is refused at once;
 * so is one before which as many would be served as may wait. Thread-safe.
 */
final class UpstreamConnectionQueue {

    private static final System.Logger LOG = System.getLogger(UpstreamConnectionQueue.class.getName());
    private static final Duration LOGGED_EVERY = Duration.ofSeconds(10);

    /** Number of requests ahead up to which nobody is refused, whatever the pace. */
    private static final int ALWAYS_QUEUED = 64;

    /** Divisor of the patience: the wait may become twice as long as it looks, because the service slows down. */
    private static final int HEADROOM = 2;

    /** Weight of the latest interval between two that are served, as a fraction: a sixteenth. The first are averaged. */
    private static final int LATEST = 16;

    private final LongSupplier nanoTime;
    private final int maxWaiting;
    private final ReentrantLock lock = new ReentrantLock();
    private final FairRequestQueue<Turn> waiting = new FairRequestQueue<>(turn -> turn.scope);
    private int free;
    private long lastServed;
    private long interval;
    private int learned;
    private long nextLine;
    private long refused;

    /**
     * @param connections how many requests may be under way
     * @param maxWaiting how many may be served before a new one
     */
    UpstreamConnectionQueue(int connections, int maxWaiting, LongSupplier nanoTime) {
        this.free = connections;
        this.maxWaiting = maxWaiting;
        this.nanoTime = nanoTime;
        this.nextLine = nanoTime.getAsLong();
    }

    private enum TurnState {
        WAITING,
        HELD,
        OVER
    }

    /** Place in the queue, and then a connection; closed on any thread, and any number of times. */
    final class Turn implements AutoCloseable {
        private final String scope;
        private final CountDownLatch decided = new CountDownLatch(1);
        private TurnState state = TurnState.WAITING;

        private Turn(String scope) {
            this.scope = scope;
        }

        /**
         * Waits for the connection.
         *
         * @throws UpstreamBusyException if none came in time, or this was closed meanwhile
         */
        void await(Duration patience) throws InterruptedException, UpstreamBusyException {
            var unused = decided.await(patience.toNanos(), TimeUnit.NANOSECONDS);
            lock.lock();
            try {
                if (state != TurnState.HELD) {
                    throw refusal("No connection to the service was free in time.");
                }
            } finally {
                lock.unlock();
            }
        }

        private void serve() {
            state = TurnState.HELD;
            free--;
            decided.countDown();
        }

        /** Leaves the queue, or lets the next one have the connection. */
        @Override
        public void close() {
            lock.lock();
            try {
                if (state == TurnState.WAITING) {
                    waiting.removeAll(this::equals);
                } else if (state == TurnState.HELD) {
                    free++;
                    letIn();
                }
                state = TurnState.OVER;
            } finally {
                lock.unlock();
            }
            decided.countDown();
        }
    }

    /**
     * Joins the queue.
     *
     * @throws UpstreamBusyException if too many wait before it
     */
    Turn join(String scope, Duration patience) throws UpstreamBusyException {
        var turn = new Turn(scope);
        lock.lock();
        try {
            if (free > 0) {
                // Nobody waits while one is free.
                turn.serve();
                return turn;
            }
            int ahead = waiting.aheadOf(scope);
            if (ahead >= maxWaiting || !isInTime(ahead, patience)) {
                throw refusal("Too many requests wait for a connection to the service.");
            }
            if (waiting.isEmpty()) {
                // Only intervals in which somebody waited show the pace.
                lastServed = nanoTime.getAsLong();
            }
            waiting.add(turn);
        } finally {
            lock.unlock();
        }
        return turn;
    }

    /** A service that answers nobody any more shows no pace but the time since it last did. */
    private boolean isInTime(int ahead, Duration patience) {
        if (ahead <= ALWAYS_QUEUED) {
            return true;
        }
        long pace = Math.max(interval, nanoTime.getAsLong() - lastServed);
        return ahead * pace <= patience.toNanos() / HEADROOM;
    }

    private void letIn() {
        while (free > 0 && !waiting.isEmpty()) {
            waiting.remove().serve();
            long now = nanoTime.getAsLong();
            learned = Math.min(learned + 1, LATEST);
            interval += (now - lastServed - interval) / learned;
            lastServed = now;
        }
    }

    /** Counts a refused request, and logs all since the last line if that was long enough ago. Called under the lock. */
    private UpstreamBusyException refusal(String why) {
        refused++;
        long now = nanoTime.getAsLong();
        if (now - nextLine >= 0) {
            nextLine = now + LOGGED_EVERY.toNanos();
            long since = refused;
            refused = 0;
            LOG.log(
                    System.Logger.Level.WARNING,
                    since
                            + " requests were answered with 503 because no connection to the service was free in time. Nothing was sent for them; their keys are released, and a retry runs. The service is too slow for them, or gateway.connections is too low.");
        }
        return new UpstreamBusyException(why);
    }
}
