package dev.refrain.cli;

import dev.refrain.benchmarks.BenchmarkReport;
import dev.refrain.benchmarks.BenchmarkSuite;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code refrain bench}: measures the cost of protection against a real PostgreSQL on this machine. */
@Command(
        name = "bench",
        description = "Measure the overhead of protection, against a real PostgreSQL that is started for the run.")
final class BenchCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(names = "--quick", description = "Skip the long measurements; takes less than 4 minutes.")
    private boolean quick;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the results to this file.")
    private @Nullable Path json;

    @Option(
            names = "--only",
            paramLabel = "NAME",
            split = ",",
            arity = "1..*",
            description = "Run only these measurements, separated by commas or spaces.")
    private List<String> only = List.of();

    @Option(
            names = "--url",
            paramLabel = "JDBC-URL",
            description = "Use this PostgreSQL server instead. Creates its own databases and drops them at the end.")
    private @Nullable String url;

    @Option(names = "--check", description = "Exit with 1 if a measurement misses its target.")
    private boolean check;

    private final BenchRunner runner;

    BenchCommand() {
        this(BenchCommand::run);
    }

    BenchCommand(BenchRunner runner) {
        this.runner = runner;
    }

    @Override
    public Integer call() {
        var request =
                new BenchRequest(quick, Optional.ofNullable(json), List.copyOf(only), Optional.ofNullable(url), check);
        return runner.run(request, spec.commandLine().getOut());
    }

    private static int run(BenchRequest request, PrintWriter out) {
        var unknown = request.only().stream()
                .filter(name -> !BenchmarkSuite.names().contains(name))
                .toList();
        if (!unknown.isEmpty()) {
            throw CommandFailedException.usage("Unknown measurement '" + unknown.getFirst() + "'. Available: "
                    + String.join(", ", BenchmarkSuite.names()) + ".");
        }
        var report = bench(request).run(System.err);
        report.print(out);
        request.json().ifPresent(file -> write(report, file));
        return report.passes() || !request.check() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private static BenchmarkSuite bench(BenchRequest request) {
        var bench = request.quick() ? BenchmarkSuite.quick() : BenchmarkSuite.full();
        var chosen = request.only().isEmpty() ? bench : bench.only(request.only());
        return request.url().map(chosen::at).orElse(chosen);
    }

    private static void write(BenchmarkReport report, Path file) {
        try {
            report.writeJson(file);
        } catch (IOException e) {
            throw CommandFailedException.failed("Cannot write the results to " + file + ": " + e.getMessage(), e);
        }
    }
}
