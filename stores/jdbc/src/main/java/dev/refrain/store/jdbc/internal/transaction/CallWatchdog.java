package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.store.jdbc.internal.sql.Dialect;
import java.sql.Connection;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Ends calls on connections of the application that take longer than their patience: the wait for a connection by an interrupt, the
 * wait for a reply by aborting the connection. Neither the pool's nor the driver's own timeout has to be that short.
 *
 * <p>One thread for all, active while anything is called. Thread-safe.
 */
public final class CallWatchdog {

    private static final Duration TICK = Duration.ofMillis(20);
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final Duration CANCELLED_WITHIN = Duration.ofMillis(200);
    private static final Duration CANCELLED_BEFORE_ABORT = Duration.ofSeconds(1);

    /** Ticks without a call after which the thread ends. */
    private static final int IDLE_TICKS = 50;

    private final Set<WatchedCall> calls = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean ticking = new AtomicBoolean();
    private final Dialect dialect;

    public CallWatchdog(Dialect dialect) {
        this.dialect = dialect;
    }

    /**
     * Starts to watch a call of this thread.
     *
     * @param connection the connection whose reply is waited for; absent while there is none
     */
    WatchedCall start(Duration patience, @Nullable Connection connection) {
        return start(new WatchedCall(deadline(patience), connection, true));
    }

    /**
     * Starts to watch a call of this thread in which the connection may go back to its pool. Nothing is cancelled: by the time a
     * cancellation reaches the server, the connection may have another user, whereas the pool's connection can be aborted only while it
     * is borrowed.
     */
    private WatchedCall startReleasing(Duration patience, Connection connection) {
        return start(new WatchedCall(deadline(patience), connection, false));
    }

    /** Starts to watch the end of a transaction of this thread, without a cancellation that could hit the next user of its connection. */
    WatchedCall startEnd(Duration patience, DatabaseTransaction ending) {
        return ending.isReleasedByItsEnd()
                ? startReleasing(patience, ending.connection())
                : start(patience, ending.connection());
    }

    /** Aborts a connection that its user does not give back. Its statement is cancelled first: a busy server does not see its client go. */
    void abort(Connection connection) {
        cancel(connection);
        dialect.abort(connection);
    }

    /** Cancels the statement of a connection that stays with its user; a second later at the most it goes on, even if the network is silent. */
    void cancel(Connection connection) {
        var cancelling = Thread.ofVirtual().name("refrain-cancel").start(() -> dialect.cancelStatement(connection));
        try {
            cancelling.join(CANCELLED_BEFORE_ABORT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static long deadline(Duration patience) {
        return System.nanoTime() + (patience.compareTo(LONGEST) < 0 ? patience : LONGEST).toNanos();
    }

    private WatchedCall start(WatchedCall call) {
        calls.add(call);
        if (!ticking.get() && ticking.compareAndSet(false, true)) {
            Thread.ofVirtual().name("refrain-calls").start(this::tick);
        }
        return call;
    }

    private void tick() {
        for (int idle = 0; idle < IDLE_TICKS; idle = calls.isEmpty() ? idle + 1 : 0) {
            LockSupport.parkNanos(TICK.toNanos());
            long now = System.nanoTime();
            for (var call : calls) {
                if (call.deadline - now <= 0 && call.isFirstDue()) {
                    Thread.ofVirtual().name("refrain-calls").start(call::end);
                }
            }
        }
        ticking.set(false);
        if (!calls.isEmpty() && ticking.compareAndSet(false, true)) {
            Thread.ofVirtual().name("refrain-calls").start(this::tick);
        }
    }

    /** Call that is watched until it is closed, by the thread that makes it. */
    final class WatchedCall implements AutoCloseable {
        private volatile long deadline;
        private final boolean cancels;
        private final Thread thread = Thread.currentThread();
        private final ReentrantLock lock = new ReentrantLock();
        private @Nullable Connection connection;
        private boolean interrupted;
        private boolean ended;
        private boolean over;
        private volatile boolean returned;
        private final AtomicBoolean ending = new AtomicBoolean();

        private WatchedCall(long deadline, @Nullable Connection connection, boolean cancels) {
            this.deadline = deadline;
            this.cancels = cancels;
            this.connection = connection;
        }

        private boolean isFirstDue() {
            return ending.compareAndSet(false, true);
        }

        /** Goes on with the connection that was waited for. */
        void attach(Connection borrowed) {
            lock.lock();
            try {
                connection = borrowed;
                ended = false;
                ending.set(false);
                clearInterrupt();
            } finally {
                lock.unlock();
            }
        }

        /** Goes on without a connection, to wait for another one. */
        void detach() {
            lock.lock();
            try {
                connection = null;
            } finally {
                lock.unlock();
            }
        }

        /** Goes on with no more than this patience from now on; a limit that is nearer stays. */
        void shortenTo(Duration patience) {
            long shorter = deadline(patience);
            if (shorter - deadline < 0) {
                deadline = shorter;
            }
        }

        /** Returns true if the patience is over. */
        boolean isEnded() {
            lock.lock();
            try {
                return ended;
            } finally {
                lock.unlock();
            }
        }

        private void end() {
            lock.lock();
            try {
                if (over || ended) {
                    return;
                }
                ended = true;
                var waitedFor = connection;
                if (waitedFor == null) {
                    interrupted = true;
                    thread.interrupt();
                } else if (cancels) {
                    breakOff(waitedFor);
                } else {
                    dialect.abort(waitedFor);
                }
            } finally {
                lock.unlock();
            }
        }

        /**
         * Cancels what the server does, which does not see its client go while it is busy, and would keep its locks; if the reply does not
         * come then, breaks the connection off. So too if the cancellation is still on its way: it would hit the next user's statement.
         */
        private void breakOff(Connection waitedFor) {
            var cancellation =
                    Thread.ofVirtual().name("refrain-cancel").start(() -> dialect.cancelStatement(waitedFor));
            long giveUp = System.nanoTime() + CANCELLED_WITHIN.toNanos();
            while ((!returned || cancellation.isAlive()) && giveUp - System.nanoTime() > 0) {
                LockSupport.parkNanos(CANCELLED_WITHIN.dividedBy(100).toNanos());
            }
            if (!returned || cancellation.isAlive()) {
                dialect.abort(waitedFor);
            }
        }

        private void clearInterrupt() {
            if (interrupted) {
                interrupted = false;
                var unused = Thread.interrupted();
            }
        }

        @Override
        public void close() {
            returned = true;
            calls.remove(this);
            lock.lock();
            try {
                over = true;
                clearInterrupt();
            } finally {
                lock.unlock();
            }
        }
    }
}
