package dev.refrain;

import dev.refrain.api.BackgroundTask;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link BackgroundTask} periodically until it is closed.
 *
 * <p>Yields to traffic: after each step it pauses for several times as long as the step took, so that the task uses only a part
 * of the store's time, however much there is to do.
 */
public final class BackgroundWorker implements AutoCloseable {

    private final BackgroundTask chore;
    private final Duration every;
    private final ExecutionEnvironment environment;
    private final RefrainListener listener;
    private final ReentrantLock lock = new ReentrantLock();
    private ExecutionEnvironment.@Nullable Timer next;
    private volatile boolean closed;

    public BackgroundWorker(
            BackgroundTask chore, Duration every, ExecutionEnvironment environment, RefrainListener listener) {
        this.chore = chore;
        this.every = every;
        this.environment = environment;
        this.listener = listener;
    }

    public void start() {
        lock.lock();
        try {
            if (!closed) {
                next = environment.schedule(
                        every, () -> environment.startThread("refrain-" + chore.name(), this::round));
            }
        } finally {
            lock.unlock();
        }
    }

    private void round() {
        try {
            boolean more = true;
            while (more && !closed) {
                long begun = environment.nanoTime();
                more = chore.runStep();
                if (more && chore.pauseFactor() > 0) {
                    environment.sleep(Duration.ofNanos((environment.nanoTime() - begun) * chore.pauseFactor()));
                }
            }
        } catch (StoreException e) {
            // Nothing is lost: the next round finds the same work.
            listener.onEvent(new RefrainEvent.StoreFailed(chore.name(), e));
        } catch (RuntimeException e) {
            listener.onEvent(new RefrainEvent.StoreFailed(
                    chore.name(),
                    StoreException.permanent("The store failed with an undeclared exception.", Effect.UNKNOWN, e)));
        } finally {
            start();
        }
    }

    /** Stops the task after its current step, without waiting for it. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            if (next != null) {
                next.cancel();
            }
        } finally {
            lock.unlock();
        }
    }
}
