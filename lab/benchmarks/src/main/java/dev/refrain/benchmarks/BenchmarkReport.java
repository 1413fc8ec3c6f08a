package dev.refrain.benchmarks;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * Results of a run and the machine they were measured on.
 *
 * @param isQuick whether the run was too short to judge by
 */
public record BenchmarkReport(Instant at, MachineInfo machine, boolean isQuick, List<BenchmarkResult> results) {

    public BenchmarkReport {
        results = List.copyOf(results);
    }

    /** Returns whether every threshold was met. */
    public boolean passes() {
        return results.stream().allMatch(BenchmarkResult::passes);
    }

    public void print(PrintWriter out) {
        BenchmarkTable.print(this, out);
    }

    public void writeJson(Path file) throws IOException {
        BenchmarkReportJson.write(this, file);
    }
}
