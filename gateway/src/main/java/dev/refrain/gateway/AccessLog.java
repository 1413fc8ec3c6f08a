package dev.refrain.gateway;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.Response;

/**
 * Logs and times each request: time, client address, method and path, status, duration and outcome. Headers, queries, keys and scopes are
 * left out.
 */
final class AccessLog implements RequestLog {

    private static final Pattern UNPRINTABLE = Pattern.compile("[^\\x21-\\x7e]");

    private final Clock clock;
    private final Optional<Consumer<String>> lines;
    private final MeterRegistry meters;

    /** @param lines where they go; without it requests are only measured */
    public AccessLog(Clock clock, Optional<Consumer<String>> lines, MeterRegistry meters) {
        this.clock = clock;
        this.lines = lines;
        this.meters = meters;
    }

    @Override
    public void log(Request request, Response response) {
        long took = System.nanoTime() - request.getBeginNanoTime();
        String outcome = GatewayRequestOutcome.from(request).toString();
        meters.timer(
                        "refrain.gateway.request",
                        Tags.of("outcome", outcome, "status", response.getStatus() / 100 + "xx"))
                .record(took, TimeUnit.NANOSECONDS);
        lines.ifPresent(log -> log.accept(line(request, response, took, outcome)));
    }

    private String line(Request request, Response response, long took, String outcome) {
        return String.join(
                " ",
                clock.instant().truncatedTo(ChronoUnit.MILLIS).toString(),
                Request.getRemoteAddr(request),
                printable(request.getMethod()),
                printable(GatewayRuleSet.pathToLog(request)),
                Integer.toString(response.getStatus()),
                Response.getContentBytesWritten(response) + "B",
                TimeUnit.NANOSECONDS.toMillis(took) + "ms",
                outcome);
    }

    /** Replaces characters that would break the line or shift its fields. */
    private static String printable(String text) {
        return text.isEmpty() ? "-" : UNPRINTABLE.matcher(text).replaceAll("?");
    }
}
