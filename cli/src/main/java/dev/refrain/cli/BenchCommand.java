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

/** {@code refrain bench}: measures the cost of protection, with the {@link BenchmarkLauncher} on the class path. */
@Command(
        name = "bench",
        description = "Measure the overhead of protection, against a real PostgreSQL that is started for the run.",
        footer = {
            "",
            "Examples:",
            "  refrain bench --quick",
            "  refrain bench --only transactional,leased --json=results.json",
            "  refrain bench --store all"
        })
final class BenchCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--quick",
            description = "Skip the long measurements and report without judging; takes less than 5 minutes.")
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

    @Option(
            names = "--store",
            paramLabel = "URL",
            description =
                    "Compare claim, complete and replay on this store, such as redis://localhost:6379, with its bare driver instead. The password is read from $"
                            + StoreOptions.PASSWORD_VARIABLE
                            + ". Leaves keys behind for a day. With '" + BenchmarkOptions.ALL_STORES
                            + "', on a PostgreSQL, MariaDB, SQLite and Redis that are started for the run, in one table.")
    private @Nullable String store;

    @Option(names = "--check", description = "Exit with 1 if a measurement misses its target. Needs a full run.")
    private boolean check;

    private final BenchmarkLauncher runner;

    BenchCommand() {
        this((request, out) -> installed().run(request, out));
    }

    BenchCommand(BenchmarkLauncher runner) {
        this.runner = runner;
    }

    @Override
    public Integer call() {
        if (quick && check) {
            throw CommandFailedException.usage(
                    "--check needs a full run: a quick one is too short to judge by. Leave out --quick or --check.");
        }
        if (store != null && (json != null || !only.isEmpty() || url != null || check)) {
            throw CommandFailedException.usage("--store prints its own table: use it alone, or with --quick.");
        }
        var request = new BenchmarkOptions(
                quick,
                Optional.ofNullable(json),
                List.copyOf(only),
                Optional.ofNullable(url),
                Optional.ofNullable(store),
                check);
        return runner.run(request, spec.commandLine().getOut());
    }

    private static BenchmarkLauncher installed() {
        return ServiceLoader.load(BenchmarkLauncher.class)
                .findFirst()
                .orElseThrow(() -> CommandFailedException.failed(
                        "The benchmarks are not part of this distribution. Run ./refrain bench in a checkout of the"
                                + " sources, which builds them.",
                        null));
    }
}
