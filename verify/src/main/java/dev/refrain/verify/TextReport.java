package dev.refrain.verify;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The report as people read it. */
final class TextReport {

    private static final int LONGEST_TRANSCRIPT = 12;
    private static final int WIDTH = 100;
    private static final String FOLDED = " ".repeat(12);

    private final Report report;

    TextReport(Report report) {
        this.report = report;
    }

    void print(PrintWriter out) {
        var subject = report.subject();
        out.println(subject.api().route() + " at " + subject.api().base() + ", profile " + subject.profile());
        out.println();
        report.results().forEach(result -> out.println(row(result)));
        for (var result : report.results()) {
            switch (result.verdict()) {
                case Verdict.Failed failed -> failure(out, result, failed);
                case Verdict.Advice advice -> told(out, "advice", result, advice.text());
                case Verdict.Passed passed -> {}
                case Verdict.Skipped skipped -> told(out, "skipped", result, skipped.reason());
            }
        }
        out.println();
        out.printf(
                Locale.ROOT,
                "%d passed, %d with advice, %d failed, %d skipped; %d requests in %.1f s.%n",
                report.passed(),
                report.advice(),
                report.failed(),
                report.skipped(),
                report.requests(),
                report.took().toMillis() / 1000.0);
        out.flush();
    }

    private static String row(Result result) {
        return String.format(
                        Locale.ROOT,
                        "%-8s %-24s %6s  %s",
                        result.verdict().word(),
                        result.words().name(),
                        result.verdict() instanceof Verdict.Skipped
                                ? ""
                                : result.took().toMillis() + " ms",
                        result.words().checks())
                .stripTrailing();
    }

    private static void told(PrintWriter out, String word, Result result, String text) {
        out.println();
        fold(out, word + "  ", result.words().name() + ": " + text);
    }

    private static void failure(PrintWriter out, Result result, Verdict.Failed failed) {
        var words = result.words();
        out.println();
        out.println("FAILED  " + words.name() + ": " + words.checks());
        fold(out, "  expected  ", failed.expected());
        fold(out, "  found     ", failed.found());
        fold(out, "  means     ", words.means());
        fold(out, "  see       ", words.reference());
        String label = "  sent      ";
        for (String line : shortened(result.transcript())) {
            out.println(label + line);
            label = FOLDED;
        }
    }

    private static List<String> shortened(List<String> lines) {
        if (lines.size() <= LONGEST_TRANSCRIPT) {
            return lines;
        }
        var some = new ArrayList<>(lines.subList(0, LONGEST_TRANSCRIPT));
        some.add("… and " + (lines.size() - LONGEST_TRANSCRIPT) + " lines more (--json has them all)");
        return some;
    }

    /** Breaks lines between words, so that long sentences stay readable. */
    private static void fold(PrintWriter out, String label, String text) {
        var line = new StringBuilder(label);
        boolean begun = false;
        for (String word : text.split(" ", -1)) {
            if (begun && line.length() + word.length() >= WIDTH + FOLDED.length()) {
                out.println(line.toString().stripTrailing());
                line = new StringBuilder(" ".repeat(label.length()));
            }
            line.append(word).append(' ');
            begun = true;
        }
        out.println(line.toString().stripTrailing());
    }
}
