package dev.refrain.run;

import dev.refrain.Environment;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What runs now, and the end of it: once closing, nothing new is let in, and what runs is given time to finish.
 *
 * <p>Work that is still running when its time is over is interrupted, so that it fails and is released, or kept as a
 * failure, as its operation says. A deploy therefore leaves nothing behind, unless work heeds no interrupt: that is left to
 * its lease, because giving it back while it runs would let a second one start beside it.
 */
final class Drain {

    private static final Duration STEP = Duration.ofMillis(20);

    private final Environment environment;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Working> working = new LinkedHashSet<>();
    private boolean closing;

    Drain(Environment environment) {
        this.environment = environment;
    }

    /** One call of an operation on one thread, from its claim to its answer. */
    final class Working implements AutoCloseable {
        private final String operation;
        private final Thread thread = Thread.currentThread();
        private volatile boolean toldToStop;

        private Working(String operation) {
            this.operation = operation;
        }

        /** Whether its time to finish is over. What has not begun by then is not begun. */
        boolean toldToStop() {
            return toldToStop;
        }

        @Override
        public void close() {
            lock.lock();
            try {
                working.remove(this);
            } finally {
                lock.unlock();
            }
        }
    }

    /** Work that runs may still call other operations: it could not finish otherwise. */
    Working enter(String operation) {
        lock.lock();
        try {
            if (closing && !runsOnThisThread()) {
                throw new ShuttingDownException(operation);
            }
            var entered = new Working(operation);
            working.add(entered);
            return entered;
        } finally {
            lock.unlock();
        }
    }

    /** Names the operations whose work heeded neither the time nor the interrupt. */
    List<String> close(Duration toFinish, Duration toHeedInterrupt) {
        lock.lock();
        try {
            closing = true;
        } finally {
            lock.unlock();
        }
        if (!emptyWithin(toFinish)) {
            interruptAll();
            emptyWithin(toHeedInterrupt);
        }
        return left();
    }

    private boolean runsOnThisThread() {
        return working.stream().anyMatch(w -> w.thread.equals(Thread.currentThread()));
    }

    private boolean emptyWithin(Duration time) {
        long deadline = environment.nanos() + time.toNanos();
        while (!left().isEmpty()) {
            if (deadline - environment.nanos() <= 0) {
                return false;
            }
            environment.pause(STEP);
        }
        return true;
    }

    private List<String> left() {
        lock.lock();
        try {
            return working.stream().map(w -> w.operation).toList();
        } finally {
            lock.unlock();
        }
    }

    private void interruptAll() {
        lock.lock();
        try {
            working.forEach(w -> {
                w.toldToStop = true;
                w.thread.interrupt();
            });
        } finally {
            lock.unlock();
        }
    }
}
