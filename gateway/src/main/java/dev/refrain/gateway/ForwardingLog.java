package dev.refrain.gateway;

import dev.refrain.api.RecordId;
import dev.refrain.observe.LoggedKeyFormat;
import java.io.EOFException;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.jetty.server.Request;

/**
 * Log of requests whose forwarding failed. A line says which request it was, what is known of it, and what to do. What the HTTP client
 * says of its connections is for those who debug the gateway.
 */
final class ForwardingLog {

    private static final System.Logger LOG = System.getLogger(ForwardingLog.class.getName());
    private static final Pattern UNPRINTABLE = Pattern.compile("[^\\x20-\\x7e…]");

    /** What the HTTP parser says. */
    private static final String HEAD_TOO_LARGE = "Response Header Bytes Too Large";

    private final String request;

    private ForwardingLog(String request) {
        this.request = request;
    }

    static ForwardingLog of(Request request, String key, RecordId record, LoggedKeyFormat keys) {
        return new ForwardingLog(printable(target(request) + keys.show(key) + ", record " + record));
    }

    /** Returns the method and the path of a request, as a log shows them. */
    static String target(Request request) {
        return printable(
                request.getMethod() + " " + GatewayRuleSet.pathToLog(request).replaceAll(";[^/]*", ";…"));
    }

    private static String printable(String text) {
        return UNPRINTABLE.matcher(text).replaceAll("?");
    }

    /** Returns method, path, key and record of the request. */
    String request() {
        return request;
    }

    void unknown(Throwable why) {
        warn(
                "Unknown outcome of " + request + ": " + reason(why)
                        + " Retries get a 409. Find out from the service whether it took effect, and settle the key in the console, or by `refrain keys resolve` or `refrain keys release`.",
                why);
    }

    /** Says that nothing was sent, unless for want of connections: the queue logs those requests together. */
    void notSent(Throwable why) {
        if (why instanceof UpstreamBusyException) {
            return;
        }
        warn("Not sent: " + request + ". " + cause(why) + " The key is released; a retry runs.", why);
    }

    void resendable(Throwable why) {
        warn("No answer to " + request + ". " + reason(why) + " A retry sends it again under the same key.", why);
    }

    void lookedUpLater(Throwable why) {
        warn("No answer to " + request + ". " + reason(why) + " A retry looks it up before it sends it again.", why);
    }

    /** Shows the stack of a failure that is neither the service's nor the network's. */
    void defect(Throwable broken) {
        LOG.log(
                System.Logger.Level.ERROR,
                "Defect of the gateway while it forwarded " + request + ". Please report it.",
                broken);
    }

    void passedWithoutMemory() {
        LOG.log(
                System.Logger.Level.WARNING,
                "The answer to " + request
                        + " is passed on and not kept: there was no memory for it in time. A retry is told that it was completed. Raise refrain.max-buffered-bytes, or give the gateway more heap.");
    }

    private static void warn(String line, Throwable why) {
        LOG.log(System.Logger.Level.WARNING, line);
        LOG.log(System.Logger.Level.DEBUG, "Cause", why);
    }

    /** Returns the reason for people, without what the HTTP client says of its connections. */
    static String reason(Throwable why) {
        return switch (why) {
            case AmbiguousResponseException unclear -> String.valueOf(unclear.getMessage());
            case UpstreamKeyExpiredException forgotten -> String.valueOf(forgotten.getMessage());
            case TimeoutException late -> "It was sent, and no answer came in time.";
            case InterruptedException stopped -> "It was sent, and the gateway was stopped before the answer came.";
            case EOFException ended -> "It was sent, and the connection ended before the answer did.";
            case IOException broken -> "It was sent, and the connection broke before the answer ended.";
            default ->
                isHeadTooLarge(why)
                        ? "It was sent, and the head of the response is larger than the gateway accepts. Raise gateway.max-header."
                        : "It was sent, and what came back is no complete HTTP response.";
        };
    }

    private static boolean isHeadTooLarge(Throwable why) {
        return Stream.iterate(why, Objects::nonNull, Throwable::getCause)
                .anyMatch(cause -> String.valueOf(cause.getMessage()).contains(HEAD_TOO_LARGE));
    }

    private static String cause(Throwable why) {
        return switch (why) {
            case TimeoutException late -> "No connection to the service was free in time.";
            case InterruptedException stopped -> "The gateway is stopping.";
            case IOException away -> "The service cannot be reached.";
            default -> "It could not be written.";
        };
    }
}
