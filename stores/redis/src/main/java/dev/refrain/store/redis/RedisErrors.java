package dev.refrain.store.redis;

import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Meaning of what a server answers instead of a result, by the code in front. */
final class RedisErrors {

    /** The script was not begun, and a later try may succeed. OOM too: a script's first write is refused, and nothing of it happened. */
    private static final Set<String> PASSING = Set.of(
            "LOADING",
            "BUSY",
            "MASTERDOWN",
            "CLUSTERDOWN",
            "TRYAGAIN",
            "MOVED",
            "ASK",
            "READONLY",
            "OOM",
            "MISCONF",
            "NOREPLICAS");

    /** The script was not begun, and no later try succeeds. */
    private static final Set<String> LASTING = Set.of("NOAUTH", "NOPERM", "WRONGPASS", "CROSSSLOT", "NOSCRIPT");

    /** The server refused the login. */
    private static final Set<String> LOGIN = Set.of("NOAUTH", "WRONGPASS");

    /** The server has no answer to give: it is as good as away. */
    private static final Set<String> AWAY = Set.of("LOADING", "MASTERDOWN", "CLUSTERDOWN");

    /** As in {@code MOVED 3999 127.0.0.1:6381}. */
    private static final Pattern MOVED = Pattern.compile("MOVED \\d{1,5} (.*):(\\d{1,5})");

    private RedisErrors() {}

    /** Returns true if a call failed because its server could not be asked, on a Cluster perhaps the only one; false if that one is busy or refuses. */
    static boolean isAway(StoreException failure) {
        return !(failure.getCause() instanceof RedisCommandExecutionException answer) || AWAY.contains(code(answer));
    }

    static boolean isUnknownScript(Throwable failure) {
        return failure instanceof RedisCommandExecutionException
                && code(failure).equals("NOSCRIPT");
    }

    /**
     * Place of another server.
     *
     * @param host empty if it is that of the one that says so
     */
    record Place(String host, int port) {}

    /** Returns the server that has the keys from now on, if that is why nothing happened. */
    static Optional<Place> movedTo(Throwable failure) {
        var read = MOVED.matcher(String.valueOf(failure.getMessage()));
        return failure instanceof RedisCommandExecutionException && read.matches()
                ? Optional.of(new Place(read.group(1), Integer.parseInt(read.group(2))))
                : Optional.empty();
    }

    /**
     * Translates the failure of a command that was handed over for sending. Only an answer of the server, or that there was no connection, says
     * that nothing happened.
     */
    static StoreException translate(String doing, String server, Throwable failure) {
        if (failure instanceof RedisCommandExecutionException) {
            String code = code(failure);
            String message = doing + " failed: " + server + " answered " + failure.getMessage();
            if (PASSING.contains(code)) {
                return StoreException.unavailable(message, Effect.NONE, failure);
            }
            return StoreException.permanent(message, LASTING.contains(code) ? Effect.NONE : Effect.UNKNOWN, failure);
        }
        if (failure instanceof RedisConnectionException) {
            return notConnected(doing, server, failure);
        }
        return StoreException.unavailable(
                doing + " failed: the connection to " + server + " was lost before the answer came.",
                Effect.UNKNOWN,
                failure);
    }

    /** Translates the failure of a wait for replicas or the append-only file. The scripts before it have run, whatever it says. */
    static StoreException waitFailed(String doing, String server, Throwable failure) {
        return StoreException.unavailable(
                doing + " was done, but the wait for its copies failed: " + server + " answered " + failure.getMessage()
                        + ". A failover now may forget it.",
                Effect.UNKNOWN,
                failure);
    }

    /** Translates that there is no connection: the server is away, or it refused the login, which a later password may pass. */
    static StoreException notConnected(String doing, String server, Throwable cause) {
        return StoreException.unavailable(
                doing + " failed: " + server + refusal(cause).orElse(" is not reachable; nothing was sent."),
                Effect.NONE,
                cause);
    }

    /** Describes what a server refused that is there: a wrong user or password, none where one is needed, or a command. */
    private static Optional<String> refusal(Throwable failure) {
        for (var cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RedisCommandExecutionException) {
                String code = code(cause);
                if (code.equals("NOPERM")) {
                    return Optional.of(" runs, but its ACL does not allow this user what the store needs (NOPERM);"
                            + " nothing was sent. Grant it, or use another user.");
                }
                if (LOGIN.contains(code)) {
                    return Optional.of(" runs, but refused the login (" + code
                            + "); nothing was sent. Check the user name and the password of the store.");
                }
            }
        }
        return Optional.empty();
    }

    static StoreException unanswered(String doing, String server, long millis) {
        return StoreException.unavailable(
                doing + " failed: " + server + " did not answer within " + millis + " ms.", Effect.UNKNOWN, null);
    }

    static RowRejectedException newerFormat(String format) {
        return RowRejectedException.badData(
                "A later version of Refrain wrote this record, in format " + format + "; this one reads format "
                        + RedisRecord.FORMAT + ". Finish the upgrade of all instances.",
                null);
    }

    private static String code(Throwable failure) {
        String text = String.valueOf(failure.getMessage());
        int end = text.indexOf(' ');
        return end < 0 ? text : text.substring(0, end);
    }
}
