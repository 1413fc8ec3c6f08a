package dev.refrain.benchmarks;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** What the bench came to, and on what. */
public record Report(Instant at, Machine machine, List<Result> results) {

    public Report {
        results = List.copyOf(results);
    }

    /** Whether every bar was reached. */
    public boolean passes() {
        return results.stream().allMatch(Result::passes);
    }

    public void print(PrintWriter out) {
        Table.print(this, out);
    }

    public void writeJson(Path file) throws IOException {
        ReportJson.write(this, file);
    }
}
