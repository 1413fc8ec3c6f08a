package dev.refrain.cli;

import dev.refrain.store.StoreException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Messages for stores that cannot be used: what failed and what to do. Errors are recognised by SQLSTATE or vendor
 * code.
 */
final class StoreErrorFormatter {

    private static final int SQLITE_READONLY = 8;
    private static final int SQLITE_CANTOPEN = 14;

    private StoreErrorFormatter() {}

    /**
     * Describes a failure in one line.
     *
     * @param store the store's URL as the user wrote it
     */
    static String describe(String store, StoreException failure) {
        var sql = causes(failure).stream()
                .filter(SQLException.class::isInstance)
                .map(SQLException.class::cast)
                .findFirst();
        return sql.flatMap(cause -> known(store, cause))
                .orElseGet(() -> failure.isTransient() && sql.isPresent()
                        ? "Cannot connect to " + store + ": " + firstLine(sql.get())
                        : String.valueOf(failure.getMessage()));
    }

    private static Optional<String> known(String store, SQLException cause) {
        if (causes(cause).stream().anyMatch(UnknownHostException.class::isInstance)) {
            return Optional.of("Cannot connect to " + store + ": unknown host. Check the host name and the network.");
        }
        String state = cause.getSQLState();
        return state == null ? ofSqlite(store, cause.getErrorCode()) : ofPostgres(store, state);
    }

    private static Optional<String> ofSqlite(String store, int code) {
        return switch (code) {
            case SQLITE_CANTOPEN ->
                Optional.of(
                        "Cannot open " + store
                                + ": check that it is a file, that its directory exists and that you have read and write permission on both.");
            case SQLITE_READONLY ->
                Optional.of("Cannot write to " + store
                        + ": it is read-only for you. Change its permissions or use another file.");
            default -> Optional.empty();
        };
    }

    private static Optional<String> ofPostgres(String store, String state) {
        return switch (state) {
            case "28P01", "28000" ->
                Optional.of("Cannot log in to " + store + ": check the user name, and the password in "
                        + StoreOptions.PASSWORD_VARIABLE + ".");
            case "08004" ->
                Optional.of("Cannot log in to " + store + ": the server requires a password. Set "
                        + StoreOptions.PASSWORD_VARIABLE + ".");
            case "3D000" -> Optional.of("The database does not exist: " + store + ". Create it or name another.");
            case "08001" ->
                Optional.of("Cannot connect to " + store
                        + ": no response. Check that the server is running and that the address and port are right.");
            case "53300" ->
                Optional.of("Cannot connect to " + store
                        + ": the server has no free connections. Close some, or raise max_connections.");
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
