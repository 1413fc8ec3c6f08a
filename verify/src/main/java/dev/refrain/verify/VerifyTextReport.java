package dev.refrain.verify;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/** Renders the report as text, for people. */
final class VerifyTextReport {

    private static final int MAX_TRANSCRIPT = 12;
    private static final int WIDTH = 118;
    private static final String INDENT = " ".repeat(12);

    private final VerifyReport report;

    VerifyTextReport(VerifyReport report) {
        this.report = report;
    }

    void print(PrintWriter out) {
        var subject = report.subject();
        out.println(subject.api().route() + " at " + subject.api().base() + ", profile " + subject.profile());
        out.println();
        var tried = report.results().stream()
                .filter(Predicate.not(VerifyTextReport::isNotTried))
                .toList();
        tried.forEach(result -> row(out, result));
        int untried = report.results().size() - tried.size();
        if (untried > 0) {
            out.println(
                    "The remaining " + untried + " cases did not run: " + CaseVerdict.Skipped.NOT_TRIED.reason() + ".");
        }
        var explained = report.explainedFailures();
        for (var result : tried) {
            if (result.verdict() instanceof CaseVerdict.Failed failed && !explained.containsKey(result)) {
                failure(out, result, failed);
                var following = explained.entrySet().stream()
                        .filter(entry -> rootOf(entry.getValue(), explained).equals(result))
                        .map(entry -> entry.getKey().description().name())
                        .toList();
                if (!following.isEmpty()) {
                    printWrapped(
                            out,
                            "  follows   ",
                            "Failed too, probably for the same reason: " + String.join(", ", following)
                                    + ". Mend this one first (--only shows one alone, --json has them all).");
                }
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

    private static VerifyCaseResult rootOf(VerifyCaseResult cause, Map<VerifyCaseResult, VerifyCaseResult> explained) {
        var root = cause;
        while (explained.containsKey(root)) {
            root = explained.get(root);
        }
        return root;
    }

    private static boolean isNotTried(VerifyCaseResult result) {
        return result.verdict().equals(CaseVerdict.Skipped.NOT_TRIED);
    }

    private static void row(PrintWriter out, VerifyCaseResult result) {
        String text = switch (result.verdict()) {
            case CaseVerdict.Advice advice -> advice.text();
            case CaseVerdict.Skipped skipped -> skipped.reason();
            case CaseVerdict.Passed passed -> result.description().requirement();
            case CaseVerdict.Failed failed -> result.description().requirement();
        };
        boolean timed = !(result.verdict() instanceof CaseVerdict.Skipped);
        String label = String.format(
                Locale.ROOT,
                "%-8s %-22s %8s  ",
                result.verdict().label(),
                result.description().name(),
                timed ? result.took().toMillis() + " ms" : "");
        printWrapped(out, label, text);
    }

    private static void failure(PrintWriter out, VerifyCaseResult result, CaseVerdict.Failed failed) {
        var description = result.description();
        out.println();
        out.println("FAILED  " + description.name() + ": " + description.requirement());
        printWrapped(out, "  expected  ", failed.expected());
        printWrapped(out, "  found     ", failed.found());
        printWrapped(out, "  means     ", failed.means());
        printWrapped(out, "  see       ", description.reference());
        String label = "  sent      ";
        for (String line : shortened(result.transcript())) {
            out.println(label + line.replaceFirst("  →  ", "\n" + INDENT + "→ "));
            label = INDENT;
        }
    }

    private static List<String> shortened(List<String> lines) {
        if (lines.size() <= MAX_TRANSCRIPT) {
            return lines;
        }
        var head = new ArrayList<>(lines.subList(0, MAX_TRANSCRIPT));
        head.add("… " + (lines.size() - MAX_TRANSCRIPT) + " more lines (--json has them all)");
        return head;
    }

    /** Breaks lines between words to keep long sentences readable. */
    private static void printWrapped(PrintWriter out, String label, String text) {
        var line = new StringBuilder(label);
        boolean begun = false;
        for (String word : text.split(" ", -1)) {
            if (begun && line.length() + word.length() >= WIDTH) {
                out.println(line.toString().stripTrailing());
                line = new StringBuilder(" ".repeat(label.length()));
            }
            line.append(word).append(' ');
            begun = true;
        }
        out.println(line.toString().stripTrailing());
    }
}
