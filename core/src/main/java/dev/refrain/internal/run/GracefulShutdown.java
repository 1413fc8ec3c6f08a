package dev.refrain.internal.run;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.ShuttingDownException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What runs now, and the end of it: once closing, nothing new is let in, and what runs is given time to finish.
 *
 * <p>Work that is still running when its time is over is interrupted, so that it fails and is released, or kept as a
 * failure, as its operation says. A deploy therefore leaves nothing behind, unless work heeds no interrupt: that is left to
 * its lease, because giving it back while it runs would let a second one start beside it.
 */
public final class GracefulShutdown {

    private static final Duration STEP = Duration.ofMillis(20);

    private final ExecutionEnvironment environment;

    /** The innermost call on each thread: a call within another's work is on the same one. */
    private final Map<Thread, ThreadCall> working = new ConcurrentHashMap<>();

    /** Work that is on no thread, or now on this and now on that one. */
    private final Set<DetachedCall> detached = ConcurrentHashMap.newKeySet();

    private volatile boolean closing;

    GracefulShutdown(ExecutionEnvironment environment) {
        this.environment = environment;
    }

    /** One call of an operation, from its claim to its answer. */
    interface ActiveCall extends AutoCloseable {

        /** Whether its time to finish is over. What has not begun by then is not begun. */
        boolean isStopRequested();

        @Override
        void close();
    }

    /** A call on one thread. */
    public final class ThreadCall implements ActiveCall {
        private final String operation;
        private final Thread thread;
        private final @Nullable ThreadCall around;
        private volatile boolean toldToStop;

        private ThreadCall(String operation, Thread thread, @Nullable ThreadCall around) {
            this.operation = operation;
            this.thread = thread;
            this.around = around;
        }

        @Override
        public boolean isStopRequested() {
            return toldToStop;
        }

        @Override
        public void close() {
            if (around == null) {
                working.remove(thread);
            } else {
                working.put(thread, around);
            }
        }

        private Stream<ThreadCall> withThoseAround() {
            return Stream.iterate(this, Objects::nonNull, w -> w.around);
        }
    }

    /** A call that ends on another thread than it began on, perhaps. */
    public final class DetachedCall implements ActiveCall {
        private final String operation;
        private volatile boolean toldToStop;

        private DetachedCall(String operation) {
            this.operation = operation;
        }

        /** A part of it, on this thread. */
        public ThreadCall here() {
            return put(operation);
        }

        @Override
        public boolean isStopRequested() {
            return toldToStop;
        }

        @Override
        public void close() {
            detached.remove(this);
        }
    }

    /** Work that runs may still call other operations: it could not finish otherwise. */
    ThreadCall enter(String operation) {
        var entered = put(operation);
        // Asked only after it was put there: either this sees the closing, or the closing sees this.
        if (closing && entered.around == null) {
            entered.close();
            throw new ShuttingDownException(operation);
        }
        return entered;
    }

    /** Work that no interrupt reaches, except while a part of it is {@link DetachedCall#here() here or there}. */
    DetachedCall enterDetached(String operation) {
        var entered = new DetachedCall(operation);
        detached.add(entered);
        if (closing && !working.containsKey(Thread.currentThread())) {
            entered.close();
            throw new ShuttingDownException(operation);
        }
        return entered;
    }

    private ThreadCall put(String operation) {
        var thread = Thread.currentThread();
        var entered = new ThreadCall(operation, thread, working.get(thread));
        working.put(thread, entered);
        return entered;
    }

    /** Names the operations whose work heeded neither the time nor the interrupt. */
    List<String> close(Duration toFinish, Duration toHeedInterrupt) {
        closing = true;
        if (!emptyWithin(toFinish)) {
            detached.forEach(d -> d.toldToStop = true);
            threads().forEach(this::interrupt);
            emptyWithin(toHeedInterrupt);
        }
        return left();
    }

    private boolean emptyWithin(Duration time) {
        long deadline = environment.nanoTime() + time.toNanos();
        while (!left().isEmpty()) {
            if (deadline - environment.nanoTime() <= 0) {
                return false;
            }
            environment.sleep(STEP);
        }
        return true;
    }

    private List<String> left() {
        var onThreads = threads()
                .map(working::get)
                .filter(Objects::nonNull)
                .flatMap(ThreadCall::withThoseAround)
                .map(w -> w.operation);
        return Stream.concat(onThreads, detached.stream().map(d -> d.operation)).toList();
    }

    /** The oldest first, so that a simulation always does the same. */
    private Stream<Thread> threads() {
        return working.keySet().stream().sorted(Comparator.comparingLong(Thread::threadId));
    }

    /** In one step with looking whether it still works: what a thread does after its work is not ours to interrupt. */
    private void interrupt(Thread thread) {
        working.computeIfPresent(thread, (same, innermost) -> {
            innermost.withThoseAround().forEach(w -> w.toldToStop = true);
            thread.interrupt();
            return innermost;
        });
    }
}
