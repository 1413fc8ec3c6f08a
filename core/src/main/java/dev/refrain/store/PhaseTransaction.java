package dev.refrain.store;
/**
 * One phase of an operation that has several: what it writes and the change of its record commit together. Used by one thread.
 *
 * @param <C> how the phase reaches the database
 */
public interface PhaseTransaction<C> extends AutoCloseable {

    C connection();

    /** Whether what the phase threw means that it lost a race at the database: nothing of it is left, and it may run again. */
    boolean isRetryableConflict(Throwable failure);

    /**
     * Changes the record as its claim wants it and commits, unless that is refused: then nothing of the phase is left.
     *
     * @throws StoreException if it failed; with {@code UNKNOWN} effect it may have been committed
     */
    WriteResponse writeAndCommit(RecordWrite write);

    /** Rolls back what was not committed, and gives back what it holds. */
    @Override
    void close();
}
