package dev.refrain.store;
/**
 * Transaction of one phase: its writes and the change of its record commit together. Not thread-safe.
 *
 * @param <C> the phase's access to the database
 */
public interface PhaseTransaction<C> extends AutoCloseable {

    C connection();

    /** Returns true if the phase failed because of a conflict in the database, or because its connection was lost: it is rolled back and may run again. */
    boolean isRetryableConflict(Throwable failure);

    /**
     * Writes the record and commits, unless the write is refused: then the phase is rolled back.
     *
     * @throws StoreException if it failed; with {@code UNKNOWN} effect it may have been committed
     */
    RecordWriteResponse writeAndCommit(RecordWrite write);

    /** Rolls back what was not committed and releases the connection. */
    @Override
    void close();
}
