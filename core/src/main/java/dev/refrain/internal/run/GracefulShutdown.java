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
 * Tracks running calls and shuts them down: once closing, it rejects new calls and gives running ones time to finish.
 *
 * <p>Work that is still running when its time is over is interrupted, so that it fails and is released, or stored as a failure,
 * as its operation says. A deployment therefore leaves no claims behind, unless work ignores the interrupt: such a claim is left
 * to its lease, because releasing it would let a second run start beside the first.
 */
public final class GracefulShutdown {

    private static final Duration STEP = Duration.ofMillis(20);

    private final ExecutionEnvironment environment;

    /** Innermost call of each thread; a call inside another one's work runs on the same thread. */
    private final Map<Thread, ThreadCall> working = new ConcurrentHashMap<>();

    /** Calls whose work is on no thread or moves between threads. */
    private final Set<DetachedCall> detached = ConcurrentHashMap.newKeySet();

    private volatile boolean closing;

    GracefulShutdown(ExecutionEnvironment environment) {
        this.environment = environment;
    }

    /** One call of an operation, from its claim to its result. */
    interface ActiveCall extends AutoCloseable {

        /** Returns true if the time to finish is over. Work that has not begun by then does not begin. */
        boolean isStopRequested();

        @Override
        void close();
    }

    /** Call on one thread. */
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

    /** Call that may end on another thread than it began on. */
    public final class DetachedCall implements ActiveCall {
        private final String operation;
        private volatile boolean toldToStop;

        private DetachedCall(String operation) {
            this.operation = operation;
        }

        /** Enters a part of the call on this thread. */
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

    /** Enters a call. Running work may still call other operations, since it could not finish otherwise. */
    ThreadCall enter(String operation) {
        var entered = put(operation);
        // Checked only after the call is registered: either this sees the closing, or the closing sees this call.
        if (closing && entered.around == null) {
            entered.close();
            throw new ShuttingDownException(operation);
        }
        return entered;
    }

    /** Enters a call that no interrupt reaches, except while a part of it is {@link DetachedCall#here() on a thread}. */
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

    /** Closes; returns the operations whose work ended neither in time nor on the interrupt. */
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

    /** Returns the threads, oldest first, so that a simulation is deterministic. */
    private Stream<Thread> threads() {
        return working.keySet().stream().sorted(Comparator.comparingLong(Thread::threadId));
    }

    /**
     * Interrupts a thread, atomically with the check that it still works: after its work the thread is not ours to interrupt.
     */
    private void interrupt(Thread thread) {
        working.computeIfPresent(thread, (same, innermost) -> {
            innermost.withThoseAround().forEach(w -> w.toldToStop = true);
            thread.interrupt();
            return innermost;
        });
    }
}
