package dev.refrain.verify;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** What came of all cases. */
public record VerifyReport(VerifySettings subject, List<VerifyCaseResult> results) {

    public VerifyReport {
        results = List.copyOf(results);
    }

    /** Whether nothing failed. */
    public boolean passes() {
        return failed() == 0;
    }

    long failed() {
        return count(verdict -> verdict instanceof CaseVerdict.Failed);
    }

    long passed() {
        return count(verdict -> verdict instanceof CaseVerdict.Passed);
    }

    long advice() {
        return count(verdict -> verdict instanceof CaseVerdict.Advice);
    }

    long skipped() {
        return count(verdict -> verdict instanceof CaseVerdict.Skipped);
    }

    private long count(Predicate<CaseVerdict> kind) {
        return results.stream().map(VerifyCaseResult::verdict).filter(kind).count();
    }

    int requests() {
        return results.stream().mapToInt(VerifyCaseResult::requests).sum();
    }

    Duration took() {
        return results.stream().map(VerifyCaseResult::took).reduce(Duration.ZERO, Duration::plus);
    }

    /** For people: a table, and each failure told in full. */
    public void print(PrintWriter out) {
        new VerifyTextReport(this).print(out);
    }

    /** For continuous integration. */
    public String junitXml() {
        return new VerifyJunitReport(this).xml();
    }

    /** For programs; its shape is in docs/verify.md. */
    public String json() {
        return new VerifyJsonReport(this).text();
    }
}
