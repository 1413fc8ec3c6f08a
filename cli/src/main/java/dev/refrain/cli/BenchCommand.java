package dev.refrain.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code refrain bench}: measures the cost of protection on this machine, by the {@link BenchRunner} on the class path. */
@Command(name = "bench", description = "Measure what protection costs, on a real PostgreSQL that is started for it.")
final class BenchCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(names = "--quick", description = "Leave the long measurements out: under 4 minutes.")
    private boolean quick;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the results to this file too.")
    private @Nullable Path json;

    @Option(
            names = "--only",
            paramLabel = "NAME",
            split = ",",
            arity = "1..*",
            description = "Measure these alone, separated by commas or spaces.")
    private List<String> only = List.of();

    @Option(
            names = "--url",
            paramLabel = "JDBC-URL",
            description = "Measure on this PostgreSQL, in databases of their own that are dropped at the end.")
    private @Nullable String url;

    @Option(names = "--check", description = "Fail with exit code 1 if a bar is missed.")
    private boolean check;

    private final BenchRunner runner;

    BenchCommand() {
        this((request, out) -> installed().run(request, out));
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

    private static BenchRunner installed() {
        return ServiceLoader.load(BenchRunner.class)
                .findFirst()
                .orElseThrow(() -> CommandFailedException.failed(
                        "The benchmarks are not part of this distribution. Run ./refrain bench in a checkout of the"
                                + " sources, which builds them.",
                        null));
    }
}
