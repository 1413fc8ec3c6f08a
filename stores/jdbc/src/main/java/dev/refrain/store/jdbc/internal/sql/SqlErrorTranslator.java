package dev.refrain.store.jdbc.internal.sql;

import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.sql.SQLException;

/**
 * What a database's errors mean, by SQLSTATE or vendor code and never by text.
 *
 * <p>The one question that matters is whether anything can have happened. A database that answers with an error has
 * done nothing; one that does not answer may have done everything.
 */
public interface SqlErrorTranslator {

    /** What an error means for the caller. */
    enum SqlErrorKind {
        /** A row's data can never be stored. */
        BAD_DATA,
        /** Someone else holds a row for too long. */
        LOCKED,
        /** Two transactions got in each other's way and this one was undone; or the database is too busy. */
        TRY_AGAIN,
        /** The database cannot be reached, and was not asked. */
        OUT_OF_REACH,
        /** The reply was lost: it may have happened. */
        LOST,
        /** The database will not do it however often it is asked. */
        REFUSED,
        /** As before, and it may have happened nevertheless. */
        REFUSED_LATE
    }

    SqlErrorKind classify(SQLException error);

    /** What to do about an error that asking again does not cure. */
    String advice(SQLException error);

    /** Whether something was inserted that is already there. */
    boolean isDuplicate(SQLException error);

    default boolean isContention(SQLException error) {
        var meaning = classify(error);
        return meaning == SqlErrorKind.LOCKED || meaning == SqlErrorKind.TRY_AGAIN;
    }

    /** Whether the connection can be used again. */
    default boolean keepsConnectionUsable(SQLException error) {
        return switch (classify(error)) {
            case BAD_DATA, LOCKED, TRY_AGAIN -> true;
            case OUT_OF_REACH, LOST, REFUSED, REFUSED_LATE -> false;
        };
    }

    /**
     * Says it in the terms of the SPI.
     *
     * @param doing what failed, such as "Claiming 12 keys"
     * @param ifLost what a lost reply means: nothing, where only something was read
     */
    default StoreException translate(String doing, SQLException error, Effect ifLost) {
        var effect = error instanceof PartialBatchException ? Effect.UNKNOWN : Effect.NONE;
        // The database's own words stay in the cause: they may quote the row.
        String found = doing + " failed with " + code(error) + ".";
        return switch (classify(error)) {
            case BAD_DATA -> RowRejectedException.badData(found, error);
            case LOCKED -> RowRejectedException.locked(found, error);
            case TRY_AGAIN, OUT_OF_REACH -> StoreException.unavailable(found, effect, error);
            case LOST -> StoreException.unavailable(found, ifLost, error);
            case REFUSED -> StoreException.permanent(found + " " + advice(error), effect, error);
            case REFUSED_LATE -> StoreException.permanent(found + " " + advice(error), ifLost, error);
        };
    }

    private static String code(SQLException error) {
        return error.getSQLState() == null ? "error code " + error.getErrorCode() : "SQLSTATE " + error.getSQLState();
    }
}
