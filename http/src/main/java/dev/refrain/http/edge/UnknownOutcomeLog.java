package dev.refrain.http.edge;

import dev.refrain.api.DurationText;
import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.OutcomeUnknownException;
import dev.refrain.api.RecordId;
import dev.refrain.http.HandlerRunPolicy;
import dev.refrain.http.OperationMode;
import java.util.regex.Pattern;

/** Log of requests that ran and whose outcome is not known. A line says which request it was, what is known, and what to do. */
final class UnknownOutcomeLog {

    private static final System.Logger LOG = System.getLogger(UnknownOutcomeLog.class.getName());
    private static final Pattern UNPRINTABLE = Pattern.compile("[^\\x20-\\x7e…]");

    private UnknownOutcomeLog() {}

    /** Reports work that does not know whether it took effect. */
    static void attention(KeyedRequest request, RecordId record, EffectUnknownException unknown) {
        warn(
                "Unknown outcome of " + describe(request, record) + ": " + unknown.getMessage()
                        + " Retries get a 409. Find out whether it took effect, and settle the key in the console, or by `refrain keys resolve` or `refrain keys release`.",
                unknown);
    }

    /** Reports work that ended, and whose outcome could not be stored. */
    static void unconfirmed(KeyedRequest request, OutcomeUnknownException unknown) {
        warn(
                "Unconfirmed outcome of " + describe(request, unknown.recordId())
                        + ": it ran, and the store did not confirm that its outcome is stored. A retry under the same key learns it; without one it is settled when its lease is over. Check the store.",
                unknown);
    }

    /** Reports a handler that still runs after its maximum run time. */
    static void stillRunning(KeyedRequest request, RecordId record, HandlerRunPolicy run) {
        boolean holds =
                run.mode() instanceof OperationMode.Leased leased && leased.takeOver() == LeaseExpiryPolicy.HOLD;
        log("Unknown outcome of " + describe(request, record) + ": it still runs after its maximum run time of "
                + DurationText.of(run.maxRunTime())
                + ", and its lease is no longer renewed. If it does not end before its lease, "
                + (holds ? "the key needs attention." : "a retry runs it again.")
                + " Find out why it hangs, or raise max-run-time.");
    }

    private static void log(String line) {
        LOG.log(System.Logger.Level.WARNING, UNPRINTABLE.matcher(line).replaceAll("?"));
    }

    private static void warn(String line, Throwable cause) {
        log(line);
        LOG.log(System.Logger.Level.DEBUG, "Cause", cause);
    }

    private static String describe(KeyedRequest request, RecordId record) {
        return request.target() + request.logged().show(request.call().key()) + ", record " + record;
    }
}
