package dev.refrain.store;

import dev.refrain.api.Payload;
import org.jspecify.annotations.Nullable;

/**
 * Transaction of one operation. Failures are thrown, never answered by a {@code Failed}, since there is only one element. Not
 * thread-safe; call in the order {@link #tryClaim}, the work, {@link #rollbackWork} if it failed, {@link #complete}, then {@link
 * #commit} or {@link #close}.
 *
 * @param <C> the work's access to the database
 */
public interface StoreTransaction<C> extends AutoCloseable {

    C connection();

    /**
     * Tries the key's lock without waiting, reads the record in a later statement, and sets a savepoint for the work. Writes
     * nothing: an acquired record becomes visible only when it is completed.
     */
    ClaimResponse tryClaim(ClaimRequest request);

    /** Rolls back everything the work wrote since {@link #tryClaim} and keeps the transaction usable. */
    void rollbackWork();

    /**
     * Ends the transaction from another thread while its work runs: what the work calls fails, and nothing can be committed. Called at
     * the work's maximum run time, never after the work has ended. By default nothing; the run is then rolled back once its work
     * returns.
     */
    default void abort() {}

    /** Returns true if the work, or a participant, marked the transaction rollback-only. */
    default boolean isRollbackOnly() {
        return false;
    }

    /**
     * Writes the record once, completed, with its outcome.
     *
     * @param outcome null to store the state alone
     * @return {@link RecordWriteResponse.Refused} if another caller claimed the record meanwhile: then roll back the transaction
     */
    RecordWriteResponse complete(ClaimRequest request, StoredRecord acquired, @Nullable Payload outcome);

    /**
     * Commits, if this transaction was begun here. A failure with {@code UNKNOWN} effect may have committed.
     *
     * @throws CommitRejectedException if the database rejects what the work wrote, as by a deferred constraint
     */
    void commit();

    /**
     * Completes and, unless that was refused, commits: in one round trip where the store can. Only for a transaction that was
     * begun here.
     *
     * @return as {@link #complete}; a failure with {@code UNKNOWN} effect may have committed
     */
    default RecordWriteResponse completeAndCommit(
            ClaimRequest request, StoredRecord acquired, @Nullable Payload outcome) {
        var answer = complete(request, acquired, outcome);
        if (answer instanceof RecordWriteResponse.Written) {
            commit();
        }
        return answer;
    }

    /** Rolls back what was not committed, if this transaction was begun here, and releases its resources. */
    @Override
    void close();
}
