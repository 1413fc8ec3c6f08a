package dev.refrain.console;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Formats times and durations for the console. */
final class ConsoleTimeFormat {

    private ConsoleTimeFormat() {}

    /** Formats an instant in UTC, with a machine-readable form. */
    static SafeHtml moment(Instant moment) {
        var exact = moment.truncatedTo(ChronoUnit.MILLIS).toString();
        return SafeHtml.element("time")
                .with("datetime", exact)
                .content(exact.replace('T', ' ').replace("Z", " UTC"));
    }

    /** Formats a duration in its two largest units. */
    static String brief(Duration time) {
        if (time.isNegative()) {
            return "−" + brief(time.negated());
        }
        if (time.toDays() > 0) {
            return time.toDays() + " d " + time.toHoursPart() + " h";
        }
        if (time.toHours() > 0) {
            return time.toHours() + " h " + time.toMinutesPart() + " min";
        }
        if (time.toMinutes() > 0) {
            return time.toMinutes() + " min " + time.toSecondsPart() + " s";
        }
        return time.toSeconds() > 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }
}
