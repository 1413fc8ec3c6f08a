package dev.refrain.recover;

import dev.refrain.Environment;
import dev.refrain.observe.Event;
import dev.refrain.observe.Listener;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Does a {@link Chore} now and then, until it is closed.
 *
 * <p>Yields to traffic: after each step it rests for several times as long as the step took, so however much there is to do,
 * the chore takes only a part of the store's time.
 */
public final class Worker implements AutoCloseable {

    private final Chore chore;
    private final Duration every;
    private final Environment environment;
    private final Listener listener;
    private final ReentrantLock lock = new ReentrantLock();
    private Environment.@Nullable Timer next;
    private volatile boolean closed;

    public Worker(Chore chore, Duration every, Environment environment, Listener listener) {
        this.chore = chore;
        this.every = every;
        this.environment = environment;
        this.listener = listener;
    }

    public void start() {
        lock.lock();
        try {
            if (!closed) {
                next = environment.schedule(every, () -> environment.startThread("refrain-" + chore.name(), this::round));
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
            listener.onEvent(new Event.StoreFailed(chore.name(), e));
        } catch (RuntimeException e) {
            listener.onEvent(new Event.StoreFailed(
                    chore.name(),
                    StoreException.permanent("The store failed in a way it does not declare.", Effect.UNKNOWN, e)));
        } finally {
            start();
        }
    }

    /** Begins no further step. One that is under way is left to end. */
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
