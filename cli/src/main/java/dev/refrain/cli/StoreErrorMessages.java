package dev.refrain.cli;

import dev.refrain.store.StoreException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Why a store cannot be used, as one sentence that says what to do. Known by SQLSTATE or vendor code. */
final class StoreErrorMessages {

    private static final int SQLITE_READONLY = 8;
    private static final int SQLITE_CANTOPEN = 14;

    private StoreErrorMessages() {}

    /** @param store as the user wrote it */
    static String describe(String store, StoreException failure) {
        var sql = causes(failure).stream()
                .filter(SQLException.class::isInstance)
                .map(SQLException.class::cast)
                .findFirst();
        return sql.flatMap(cause -> known(store, cause))
                .orElseGet(() -> failure.isTransient() && sql.isPresent()
                        ? "The store " + store + " gives no connection: " + firstLine(sql.get())
                        : String.valueOf(failure.getMessage()));
    }

    private static Optional<String> known(String store, SQLException cause) {
        if (causes(cause).stream().anyMatch(UnknownHostException.class::isInstance)) {
            return Optional.of("The host of " + store + " is not known: is its name right, and is there a network?");
        }
        String state = cause.getSQLState();
        return state == null ? ofSqlite(store, cause.getErrorCode()) : ofPostgres(store, state);
    }

    private static Optional<String> ofSqlite(String store, int code) {
        return switch (code) {
            case SQLITE_CANTOPEN ->
                Optional.of("The store " + store
                        + " cannot be opened: is it a file, is its folder there, and may you read and write both?");
            case SQLITE_READONLY ->
                Optional.of("The store " + store + " may not be written: give yourself the right to, or name another.");
            default -> Optional.empty();
        };
    }

    private static Optional<String> ofPostgres(String store, String state) {
        return switch (state) {
            case "28P01", "28000" ->
                Optional.of("The store " + store + " does not let you in: is the user right, and its password in "
                        + StoreOptions.PASSWORD_VARIABLE + "?");
            case "08004" ->
                Optional.of("The store " + store + " wants a password: set " + StoreOptions.PASSWORD_VARIABLE + ".");
            case "3D000" ->
                Optional.of("The server has no such database: make it, or name another than " + store + ".");
            case "08001" ->
                Optional.of("Nobody answers at " + store + ": is the server running, at this address and port?");
            case "53300" ->
                Optional.of("The store " + store + " has no connection left: close some, or allow it more.");
            default -> Optional.empty();
        };
    }

    private static List<Throwable> causes(Throwable failure) {
        var all = new ArrayList<Throwable>();
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            all.add(cause);
        }
        return all;
    }

    private static String firstLine(SQLException cause) {
        String message = Optional.ofNullable(cause.getMessage()).orElse("SQLSTATE " + cause.getSQLState());
        return TerminalFormat.escape(message.lines().findFirst().orElse(message));
    }
}
