package dev.refrain.internal.run;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Ends transactional work at its operation's maximum run time: its transaction is aborted and its thread interrupted.
 *
 * <p>One timer for all, active while anything runs. Thread-safe.
 */
final class RunTimeMonitor {

    private static final Duration TICK = Duration.ofMillis(100);

    private final Set<MonitoredRun> running = ConcurrentHashMap.newKeySet();
    private final ExecutionEnvironment environment;
    private final RefrainListener listener;
    private final AtomicBoolean ticking = new AtomicBoolean();

    RunTimeMonitor(ExecutionEnvironment environment, RefrainListener listener) {
        this.environment = environment;
        this.listener = listener;
    }

    /** Starts to watch work on this thread, until the result is closed. */
    MonitoredRun start(RunSettings settings, RunningClaim claim, Runnable abort) {
        var run = new MonitoredRun(settings, claim, abort);
        running.add(run);
        tickLater();
        return run;
    }

    private void tickLater() {
        if (ticking.compareAndSet(false, true)) {
            environment.schedule(TICK, this::tick);
        }
    }

    private void tick() {
        ticking.set(false);
        try {
            for (var run : running.stream().filter(MonitoredRun::isDue).toList()) {
                if (running.remove(run)) {
                    // Not on the timer thread: to abort a connection may take a while.
                    environment.startThread("refrain-overrun", run::end);
                }
            }
        } finally {
            if (!running.isEmpty()) {
                tickLater();
            }
        }
    }

    /** Work that runs. Closed by the thread that runs it, before anything else is done with its transaction. */
    final class MonitoredRun implements AutoCloseable {
        private final RunSettings settings;
        private final RunningClaim claim;
        private final Runnable abort;
        private final Thread thread = Thread.currentThread();
        private final ReentrantLock lock = new ReentrantLock();
        private boolean over;
        private boolean overran;

        private MonitoredRun(RunSettings settings, RunningClaim claim, Runnable abort) {
            this.settings = settings;
            this.claim = claim;
            this.abort = abort;
        }

        private boolean isDue() {
            return claim.ran().compareTo(settings.leasing().maxRun()) >= 0;
        }

        private void end() {
            lock.lock();
            try {
                if (over) {
                    return;
                }
                overran = true;
                try {
                    abort.run();
                } finally {
                    thread.interrupt();
                }
            } finally {
                lock.unlock();
            }
            listener.onEvent(new RefrainEvent.MaxRunTimeExceeded(settings.operation(), claim.recordId(), claim.ran()));
        }

        /** Returns true if the work was ended, or has ended by itself after its time. Known once this is closed. */
        boolean hasOverrun() {
            return overran;
        }

        /** Waits for an abort that has begun. The interrupt was for the work and ends with it. */
        @Override
        public void close() {
            running.remove(this);
            lock.lock();
            try {
                over = true;
                if (overran) {
                    var unused = Thread.interrupted();
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
