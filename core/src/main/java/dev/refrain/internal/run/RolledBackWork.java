package dev.refrain.internal.run;

import dev.refrain.api.RefrainException;
import dev.refrain.store.CommitRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.WorkRolledBackException;

/** Failures of transactional work that ran and was rolled back, which must not be taken for work that never ran. */
final class RolledBackWork {

    private RolledBackWork() {}

    static StoreException byParticipant(RunSettings settings) {
        return new WorkRolledBackException(
                settings.operation(), "A participant had marked the transaction rollback-only.", null);
    }

    /** Says of a failed commit that the work ran; a rejection of the work itself says so already. */
    static StoreException byFailedCommit(RunSettings settings, StoreException failure) {
        return failure instanceof CommitRejectedException
                ? failure
                : new WorkRolledBackException(
                        settings.operation(), "Its commit failed: " + failure.getMessage(), failure);
    }

    /** Says of a failure to run again that the work ran in an earlier round and was rolled back. */
    static RefrainException ofEarlierRound(RunSettings settings, int round, RefrainException failure) {
        return round == 0
                ? failure
                : new WorkRolledBackException(
                        settings.operation(),
                        "A concurrent call changed its key, and it could not run again: " + failure.getMessage(),
                        failure);
    }

    /**
     * Rolls back work that ran to its end.
     *
     * @throws WorkRolledBackException if that fails: the connection is broken, and the database rolls back
     */
    static void requireRolledBack(RunSettings settings, StoreTransaction<?> open) {
        try {
            open.rollbackWork();
        } catch (StoreException lost) {
            throw new WorkRolledBackException(
                    settings.operation(), "Its transaction was lost: " + lost.getMessage(), lost);
        }
    }
}
