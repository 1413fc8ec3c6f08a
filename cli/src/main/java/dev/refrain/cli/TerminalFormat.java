package dev.refrain.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** How things look on a terminal. What clients chose, such as a key, must not be able to steer it. */
final class TerminalFormat {

    private static final int WIDEST = 60;

    private TerminalFormat() {}

    /** On one line, and without anything that a terminal would obey. */
    static String escape(String untrusted) {
        var shown = new StringBuilder();
        untrusted.codePoints().forEach(c -> {
            int type = Character.getType(c);
            if (Character.isISOControl(c) || type == Character.FORMAT || type == Character.LINE_SEPARATOR) {
                shown.append("\\u%04x".formatted(c));
            } else {
                shown.appendCodePoint(c);
            }
        });
        return shown.toString();
    }

    static String moment(Instant moment) {
        return moment.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    /** In its two largest units: enough for an age. */
    static String duration(Duration time) {
        var of = time.abs();
        if (of.toDays() > 0) {
            return of.toDays() + "d " + of.toHoursPart() + "h";
        }
        if (of.toHours() > 0) {
            return of.toHours() + "h " + of.toMinutesPart() + "m";
        }
        return of.toMinutes() > 0 ? of.toMinutes() + "m " + of.toSecondsPart() + "s" : of.toSeconds() + "s";
    }

    /** Columns as wide as what is in them, within reason; the last as wide as it is. */
    static String table(List<String> heads, List<List<String>> rows) {
        var widths = IntStream.range(0, heads.size())
                .map(i -> rows.stream()
                        .mapToInt(row -> row.get(i).length())
                        .reduce(heads.get(i).length(), Math::max))
                .map(width -> Math.min(width, WIDEST))
                .toArray();
        return IntStream.rangeClosed(-1, rows.size() - 1)
                .mapToObj(r -> r < 0 ? heads : rows.get(r))
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
