package dev.refrain.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code refrain bench}: what protection costs, measured on this machine on a real PostgreSQL. */
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

    private final BenchRunner runner;

    BenchCommand() {
        this(BenchCommand::run);
    }

    BenchCommand(BenchRunner runner) {
        this.runner = runner;
    }

    @Override
    public Integer call() {
        var request = new BenchRequest(quick, Optional.ofNullable(json), List.copyOf(only));
        return runner.run(request, spec.commandLine().getOut());
    }

    /** Where the command meets what it runs. */
    private static int run(BenchRequest request, java.io.PrintWriter out) {
        throw CommandFailure.failed("The bench is not part of this build yet.", null);
    }
}
