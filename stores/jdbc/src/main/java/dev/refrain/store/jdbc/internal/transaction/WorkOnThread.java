package dev.refrain.store.jdbc.internal.transaction;

import org.jspecify.annotations.Nullable;

/**
 * Work of this thread in a transaction of ours, such as a phase or a delivery. The thread holds a connection for which others may wait, so that it
 * must not queue behind them for another one.
 */
final class WorkOnThread implements AutoCloseable {

    private static final ThreadLocal<WorkOnThread> CURRENT = new ThreadLocal<>();

    private final @Nullable WorkOnThread around = CURRENT.get();

    private WorkOnThread() {}

    static boolean isOpen() {
        return CURRENT.get() != null;
    }

    /** Begins work on this thread, on which it is closed. */
    static WorkOnThread enter() {
        var current = new WorkOnThread();
        CURRENT.set(current);
        return current;
    }

    @Override
    public void close() {
        if (around == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(around);
        }
    }
}
