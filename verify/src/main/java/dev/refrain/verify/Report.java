package dev.refrain.verify;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** What came of all cases. */
public record Report(Subject subject, List<Result> results) {

    public Report {
        results = List.copyOf(results);
    }

    /** Whether nothing failed. */
    public boolean passes() {
        return failed() == 0;
    }

    long failed() {
        return count(verdict -> verdict instanceof Verdict.Failed);
    }

    long passed() {
        return count(verdict -> verdict instanceof Verdict.Passed);
    }

    long advice() {
        return count(verdict -> verdict instanceof Verdict.Advice);
    }

    long skipped() {
        return count(verdict -> verdict instanceof Verdict.Skipped);
    }

    private long count(Predicate<Verdict> kind) {
        return results.stream().map(Result::verdict).filter(kind).count();
    }

    int requests() {
        return results.stream().mapToInt(Result::requests).sum();
    }

    Duration took() {
        return results.stream().map(Result::took).reduce(Duration.ZERO, Duration::plus);
    }

    /** For people: a table, and each failure told in full. */
    public void print(PrintWriter out) {
        new TextReport(this).print(out);
    }

    /** For continuous integration. */
    public String junitXml() {
        return new JunitReport(this).xml();
    }

    /** For programs; its shape is in docs/verify.md. */
    public String json() {
        return new JsonReport(this).text();
    }
}
