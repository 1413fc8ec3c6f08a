package dev.refrain.store;

import dev.refrain.api.Payload;
import java.util.Optional;

/**
 * One operation inside one transaction. Failures are thrown, never answered by a {@code Failed}: there is only one element. Used by one thread, in the order {@link #tryClaim}, the work, {@link #rollbackWork} if it
 * failed, {@link #complete}, then {@link #commit} or {@link #close}.
 *
 * @param <C> how the work reaches the database
 */
public interface StoreTransaction<C> extends AutoCloseable {

    C connection();

    /**
     * Tests the key's lock without waiting, reads the record in a statement after the lock was taken, and marks where the
     * work begins. Writes nothing: an acquired record becomes visible only when it is settled.
     */
    ClaimResponse tryClaim(ClaimRequest request);

    /** Takes back everything the work wrote since {@link #tryClaim}, and keeps the transaction usable. */
    void rollbackWork();

    /** Whether the work, or something that took part in it, has decided that all of it can only be taken back. */
    default boolean isRollbackOnly() {
        return false;
    }

    /**
     * Writes the record once, completed, with its outcome.
     *
     * @return {@link WriteResponse.Refused} if someone else claimed the record meanwhile: then everything is to be rolled back
     */
    WriteResponse complete(ClaimRequest request, StoredRecord acquired, Optional<Payload> outcome);

    /** Commits, if this transaction was begun here. A failure with {@code UNKNOWN} effect may have committed. */
    void commit();

    /**
     * Settles and, if that was not refused, commits: in one round trip where the store can. Only for a transaction that was
     * begun here.
     *
     * @return as {@link #complete}; a failure with {@code UNKNOWN} effect may have committed
     */
    default WriteResponse completeAndCommit(ClaimRequest request, StoredRecord acquired, Optional<Payload> outcome) {
        var answer = complete(request, acquired, outcome);
        if (answer instanceof WriteResponse.Written) {
            commit();
        }
        return answer;
    }

    /** Rolls back what was not committed, if this transaction was begun here, and gives back what it holds. */
    @Override
    void close();
}
