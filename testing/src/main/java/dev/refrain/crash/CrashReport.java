package dev.refrain.crash;

import java.util.List;
import java.util.stream.Collectors;

/** Results of all crashes, in the order of the crash points. */
public record CrashReport(List<CrashResult> rows) {

    /**
     * Result of one crash.
     *
     * @param number the number of the crash point, from 1
     * @param boundary the name of the crash point
     * @param reached false if the request ended without reaching the crash point this time
     * @param findings effects that were doubled or lost, and other failed checks
     */
    public record CrashResult(int number, String boundary, boolean reached, List<String> findings) {

        public CrashResult {
            findings = List.copyOf(findings);
        }

        /** Returns whether every check held after the crash. */
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

    /** Returns the crashes that were not survived. */
    public List<CrashResult> failures() {
        return rows.stream().filter(row -> !row.survived()).toList();
    }

    /** Fails a test if a crash was not survived, with the crash points and the effects that were doubled or lost. */
    public void assertSurvived() {
        if (rows.stream().noneMatch(CrashResult::reached)) {
            throw new AssertionError("No boundary was reached: does the application use the life that it is given?");
        }
        if (!failures().isEmpty()) {
            throw new AssertionError(failures().size() + " of " + rows.size() + " crashes were not survived:\n"
                    + failures().stream().map(CrashResult::toString).collect(Collectors.joining("\n")));
        }
    }

    /** Returns a table with one line for each crash point. */
    @Override
    public String toString() {
        return rows.stream().map(CrashResult::toString).collect(Collectors.joining("\n"));
    }
}
