package dev.refrain.verify;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** Results of all cases of a run. Immutable. */
public record VerifyReport(VerifySettings subject, List<VerifyCaseResult> results) {

    public VerifyReport {
        results = List.copyOf(results);
    }

    /** Returns whether no case failed. */
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

    /** Prints the report for people: a table, then the details of each failure. */
    public void print(PrintWriter out) {
        new VerifyTextReport(this).print(out);
    }

    /** Renders the report as JUnit XML, for continuous integration. */
    public String junitXml() {
        return new VerifyJunitReport(this).xml();
    }

    /** Renders the report as JSON; docs/verify.md describes its fields. */
    public String json() {
        return new VerifyJsonReport(this).text();
    }
}
