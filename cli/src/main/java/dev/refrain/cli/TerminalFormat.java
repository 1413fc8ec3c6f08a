package dev.refrain.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Formats values for a terminal. Escapes what clients chose, such as keys, so that it cannot control the terminal. */
final class TerminalFormat {

    private static final int MAX_COLUMN_WIDTH = 60;

    private TerminalFormat() {}

    /** Escapes line breaks and everything else that a terminal would interpret. */
    static String escape(String untrusted) {
        var escaped = new StringBuilder();
        untrusted.codePoints().forEach(c -> {
            int type = Character.getType(c);
            if (Character.isISOControl(c) || type == Character.FORMAT || type == Character.LINE_SEPARATOR) {
                escaped.append("\\u%04x".formatted(c));
            } else {
                escaped.appendCodePoint(c);
            }
        });
        return escaped.toString();
    }

    static String moment(Instant moment) {
        return moment.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    /** Formats a duration in its two largest units. */
    static String duration(Duration time) {
        var absolute = time.abs();
        if (absolute.toDays() > 0) {
            return absolute.toDays() + "d " + absolute.toHoursPart() + "h";
        }
        if (absolute.toHours() > 0) {
            return absolute.toHours() + "h " + absolute.toMinutesPart() + "m";
        }
        return absolute.toMinutes() > 0
                ? absolute.toMinutes() + "m " + absolute.toSecondsPart() + "s"
                : absolute.toSeconds() + "s";
    }

    /** Formats a table with columns as wide as their contents, up to a limit; the last column is never cut. */
    static String table(List<String> headers, List<List<String>> rows) {
        var widths = IntStream.range(0, headers.size())
                .map(i -> rows.stream()
                        .mapToInt(row -> row.get(i).length())
                        .reduce(headers.get(i).length(), Math::max))
                .map(width -> Math.min(width, MAX_COLUMN_WIDTH))
                .toArray();
        return IntStream.rangeClosed(-1, rows.size() - 1)
                .mapToObj(r -> r < 0 ? headers : rows.get(r))
                .map(row -> line(row, widths))
                .collect(Collectors.joining("\n"));
    }

    private static String line(List<String> row, int[] widths) {
        return IntStream.range(0, row.size())
                .mapToObj(i -> i == row.size() - 1 ? row.get(i) : padded(row.get(i), widths[i]))
                .collect(Collectors.joining("  "));
    }

    private static String padded(String cell, int width) {
        return cell.length() > width ? cell.substring(0, width - 1) + "…" : cell + " ".repeat(width - cell.length());
    }
}
