package dev.refrain.http.servlet;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** Switch that separates a handler from its response, which another thread then sends. Thread-safe. */
final class ResponseDetachment {

    private final ReentrantLock lock = new ReentrantLock();
    private boolean detached;

    boolean isDetached() {
        return detach(() -> false);
    }

    /** Detaches the handler if the condition holds; returns whether it is detached. No change is under way then. */
    boolean detach(BooleanSupplier condition) {
        lock.lock();
        try {
            detached = detached || condition.getAsBoolean();
            return detached;
        } finally {
            lock.unlock();
        }
    }

    /** Makes the handler's change, unless it is detached. */
    void unlessDetached(Runnable change) {
        lock.lock();
        try {
            if (!detached) {
                change.run();
            }
        } finally {
            lock.unlock();
        }
    }
}
