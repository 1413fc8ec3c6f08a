package dev.refrain.crash;

import java.util.List;
import java.util.stream.Collectors;

/** What became of each crash, in the order of the boundaries. */
public record CrashReport(List<CrashResult> rows) {

    /**
     * One crash.
     *
     * @param number of the boundary, counted from 1
     * @param boundary where it was
     * @param reached false if the request did not come there this time, and ended
     * @param findings what doubled, was lost, or is otherwise wrong afterwards
     */
    public record CrashResult(int number, String boundary, boolean reached, List<String> findings) {

        public CrashResult {
            findings = List.copyOf(findings);
        }

        public boolean survived() {
            return findings.isEmpty();
        }

        @Override
        public String toString() {
            String result = reached ? "ok" : "not reached";
            return "%4d  %-100s  %s"
                    .formatted(number, boundary, survived() ? result : "BROKEN: " + String.join("; ", findings));
        }
    }

    public CrashReport {
        rows = List.copyOf(rows);
    }

    /** The boundaries at which a crash was not survived. */
    public List<CrashResult> failures() {
        return rows.stream().filter(row -> !row.survived()).toList();
    }

    /** For a test: fails with the boundaries at which a crash was not survived, and with what doubled or was lost there. */
    public void assertSurvived() {
        if (rows.stream().noneMatch(CrashResult::reached)) {
            throw new AssertionError("No boundary was reached: does the application use the life that it is given?");
        }
        if (!failures().isEmpty()) {
            throw new AssertionError(failures().size() + " of " + rows.size() + " crashes were not survived:\n"
                    + failures().stream().map(CrashResult::toString).collect(Collectors.joining("\n")));
        }
    }

    /** A table, one line for each boundary. */
    @Override
    public String toString() {
        return rows.stream().map(CrashResult::toString).collect(Collectors.joining("\n"));
    }
}
