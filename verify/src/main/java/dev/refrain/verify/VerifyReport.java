package dev.refrain.verify;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    /** Returns the failed cases that another failure explains, each with that one. */
    Map<VerifyCaseResult, VerifyCaseResult> explainedFailures() {
        var explained = new LinkedHashMap<VerifyCaseResult, VerifyCaseResult>();
        for (var result : results) {
            FailureCauses.of(result.description().name()).stream()
                    .flatMap(cause -> results.stream()
                            .filter(other -> other.description().name().equals(cause)))
                    .filter(other -> other.verdict() instanceof CaseVerdict.Failed)
                    .findFirst()
                    .filter(cause -> result.verdict() instanceof CaseVerdict.Failed)
                    .ifPresent(cause -> explained.put(result, cause));
        }
        return explained;
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
