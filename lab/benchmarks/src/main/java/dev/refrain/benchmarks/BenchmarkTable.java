package dev.refrain.benchmarks;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Formats results as a table. */
final class BenchmarkTable {

    private static final String ROW = "%-26s %8s  %-17s %-7s %-5s  %-22s %10s %8s %8s %8s %8s %8s %8s %7s %7s%n";

    private BenchmarkTable() {}

    static void print(BenchmarkReport report, PrintWriter out) {
        out.println(report.machine());
        out.println();
        out.printf(
                Locale.ROOT,
                ROW,
                "name",
                "ratio",
                "quartiles (pairs)",
                "bar",
                "",
                "side",
                "calls/s",
                "p50 ms",
                "p99 ms",
                "p99.9 ms",
                "max ms",
                "CPU µs",
                "WAL B",
                "starved",
                "refused");
        report.results().forEach(result -> print(result, !report.isQuick(), out));
        if (report.isQuick()) {
            out.println();
            out.println("A quick run reports and does not judge: bars are for full runs.");
        }
        out.flush();
    }

    /** Returns a result in one line, with its verdict if it is judged. */
    static String line(BenchmarkResult result, boolean judged) {
        return String.format(
                        Locale.ROOT,
                        "%-26s %8s  %-17s %-7s %-5s",
                        result.title().name(),
                        number(result.ratio().median()),
                        quartiles(result),
                        result.title().bar(),
                        verdict(result, judged))
                .stripTrailing();
    }

    private static void print(BenchmarkResult result, boolean judged, PrintWriter out) {
        var title = result.title();
        var sides = result.sides();
        out.printf(
                Locale.ROOT,
                ROW,
                cells(
                        title.name(),
                        number(result.ratio().median()),
                        quartiles(result),
                        title.bar().toString(),
                        verdict(result, judged),
                        sides.isEmpty() ? List.of("", "", "", "", "", "", "", "", "", "") : figures(sides.getFirst())));
        for (var side : sides.stream().skip(1).toList()) {
            out.printf(Locale.ROOT, ROW, cells("", "", "", "", "", figures(side)));
        }
        out.println("    " + title.what() + " (" + title.unit() + ")" + readings(result, judged));
    }

    private static Object[] cells(
            String name, String ratio, String quartiles, String bar, String verdict, List<String> side) {
        return List.of(List.of(name, ratio, quartiles, bar, verdict), side).stream()
                .flatMap(List::stream)
                .toArray();
    }

    private static List<String> figures(WorkloadFigures side) {
        return List.of(
                side.side(),
                String.format(Locale.ROOT, "%,.0f", side.perSecond()),
                millis(side.p50()),
                millis(side.p99()),
                millis(side.p999()),
                millis(side.max()),
                String.format(Locale.ROOT, "%,.0f", side.cpuMicros()),
                String.format(Locale.ROOT, "%,.0f", side.walBytes()),
                String.format(Locale.ROOT, "%.0f", side.starved()),
                String.format(Locale.ROOT, "%.1f", side.refused()));
    }

    private static String readings(BenchmarkResult result, boolean judged) {
        return result.readings().stream()
                .map(reading -> "; " + reading.name() + " " + number(reading.value()) + " " + reading.unit()
                        + reading.bar()
                                .map(bar -> " (" + bar + (!judged ? ")" : reading.passes() ? ", ok)" : ", MISSED)"))
                                .orElse(""))
                .collect(Collectors.joining());
    }

    private static String verdict(BenchmarkResult result, boolean judged) {
        return !judged ? "" : result.passes() ? "ok" : "MISS";
    }

    private static String quartiles(BenchmarkResult result) {
        var ratio = result.ratio();
        return number(ratio.q1()) + " – " + number(ratio.q3()) + " (" + result.pairs() + ")";
    }

    private static String millis(double value) {
        return String.format(Locale.ROOT, value < 0.1 ? "%.4f" : value < 10 ? "%.2f" : "%.1f", value);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%,.0f", value);
    }
}
