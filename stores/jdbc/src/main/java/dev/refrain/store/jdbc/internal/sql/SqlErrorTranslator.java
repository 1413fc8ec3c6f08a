package dev.refrain.store.jdbc.internal.sql;

import dev.refrain.store.CommitRejectedException;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.sql.SQLException;

/**
 * Translates a database's errors, by SQLSTATE or vendor code and never by text.
 *
 * <p>The decisive question is whether anything can have happened. A database that answers with an error has done nothing; one
 * that does not answer may have done everything.
 */
public interface SqlErrorTranslator {

    /** SQLSTATE of a transaction that would not be serializable beside a concurrent one. */
    String SERIALIZATION_FAILURE = "40001";

    /** Meaning of an error for the caller. */
    enum SqlErrorKind {
        /** A row's data can never be stored. */
        BAD_DATA,
        /** A row is locked for too long. */
        LOCKED,
        /** Two transactions conflicted and this one was rolled back; or the database is too busy. */
        TRY_AGAIN,
        /** The database is unreachable, and nothing was sent. */
        OUT_OF_REACH,
        /** The reply was lost: the call may have taken effect. */
        LOST,
        /** The database rejects the call on every retry. */
        REFUSED,
        /** The database rejects the call on every retry, but this one may have taken effect. */
        REFUSED_LATE
    }

    SqlErrorKind classify(SQLException error);

    /** Returns what to do about an error that a retry does not cure. */
    String advice(SQLException error);

    /** Returns true if an insert found an existing row. */
    boolean isDuplicate(SQLException error);

    default boolean isContention(SQLException error) {
        var meaning = classify(error);
        return meaning == SqlErrorKind.LOCKED || meaning == SqlErrorKind.TRY_AGAIN;
    }

    /** Returns true if the connection is dead, whether or not the call took effect. */
    default boolean isConnectionLost(SQLException error) {
        var meaning = classify(error);
        return meaning == SqlErrorKind.LOST
                || meaning == SqlErrorKind.OUT_OF_REACH
                || meaning == SqlErrorKind.REFUSED_LATE;
    }

    /** Returns true if the database is known to be gone from this connection; false for an error of an application's own, which has no code. */
    default boolean isSessionLost(SQLException error) {
        var meaning = classify(error);
        return meaning == SqlErrorKind.LOST || meaning == SqlErrorKind.OUT_OF_REACH;
    }

    /** Returns true if the connection can be used again. */
    default boolean keepsConnectionUsable(SQLException error) {
        return switch (classify(error)) {
            case BAD_DATA, LOCKED, TRY_AGAIN -> true;
            case OUT_OF_REACH, LOST, REFUSED, REFUSED_LATE -> false;
        };
    }

    /**
     * Translates an error into an exception of the SPI.
     *
     * @param doing what failed, such as "Claiming 12 keys"
     * @param ifLost the effect of a lost reply: none for a read
     */
    default StoreException translate(String doing, SQLException error, Effect ifLost) {
        var effect = error instanceof PartialBatchException ? Effect.UNKNOWN : Effect.NONE;
        // The database's message stays in the cause: it may quote the row.
        String found = doing + " failed with " + code(error) + ".";
        return switch (classify(error)) {
            case BAD_DATA -> RowRejectedException.badData(found, error);
            case LOCKED ->
                switch (error) {
                    case TableLockedException table ->
                        StoreException.unavailable(found + " A table is locked.", effect, error);
                    // Not a rejected row: of that nothing happened, and of this batch something did.
                    case PartialBatchException partly -> StoreException.unavailable(found, effect, error);
                    default -> RowRejectedException.locked(found, error);
                };
            case TRY_AGAIN -> StoreException.unavailable(found + conflictInWords(error), effect, error);
            case OUT_OF_REACH -> StoreException.connectionLost(found, effect, error);
            case LOST -> StoreException.connectionLost(found, ifLost, error);
            case REFUSED -> StoreException.permanent(found + " " + advice(error), effect, error);
            case REFUSED_LATE -> StoreException.permanent(found + " " + advice(error), ifLost, error);
        };
    }

    /** Returns why the database rolled back because of a concurrent transaction, as a sentence after another; empty for other errors. */
    private static String conflictInWords(SQLException error) {
        return SERIALIZATION_FAILURE.equals(error.getSQLState()) && !(error instanceof PartialBatchException)
                ? " The database rolled the transaction back, because it conflicts with a concurrent one (serialization failure). A retry"
                        + " is safe."
                : "";
    }

    /** Translates the failure to borrow a connection, or to begin on it: whatever a pool says when it times out, nothing ran. */
    default StoreException noConnection(String doing, SQLException error) {
        boolean saidByThePool = error.getSQLState() == null && error.getErrorCode() == 0;
        return !saidByThePool && !isConnectionLost(error)
                ? translate(doing, error, Effect.NONE)
                : StoreException.unavailable(doing + ": no connection.", Effect.NONE, error);
    }

    /** Translates the failure of a commit; what the database rejects because of the work is no failure of the store. */
    default StoreException notCommitted(String doing, SQLException error) {
        return isRejectedWork(error)
                ? new CommitRejectedException(doing, code(error), error)
                : commitFailure(doing, error);
    }

    /** Translates a failure that may have come before a commit or after it, with the meaning that it has if it came before. */
    default StoreException inDoubt(String doing, SQLException error) {
        return StoreException.unavailable(doing + " failed.", Effect.UNKNOWN, notCommitted(doing, error));
    }

    /** Translates the failure of a commit that was not rejected because of the work. */
    default StoreException commitFailure(String doing, SQLException error) {
        return translate(doing, error, Effect.UNKNOWN);
    }

    /** Returns true if a commit was rejected because of what was written before it: a deferred constraint or a constraint trigger. */
    boolean isRejectedWork(SQLException error);

    /** Returns true if the database user may not do what it tried. */
    default boolean isMissingPrivilege(SQLException error) {
        return false;
    }

    /** Returns true if the server, and not the user's privileges, allows no writes. */
    default boolean isReadOnly(SQLException error) {
        return false;
    }

    /** Returns the code of an error, in words. */
    static String code(SQLException error) {
        return error.getSQLState() == null ? "error code " + error.getErrorCode() : "SQLSTATE " + error.getSQLState();
    }
}
