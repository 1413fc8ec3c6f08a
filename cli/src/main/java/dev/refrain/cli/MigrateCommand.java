package dev.refrain.cli;

import dev.refrain.store.jdbc.BrowsingIndex;
import dev.refrain.store.jdbc.JdbcStore;
import dev.refrain.store.jdbc.SchemaScript;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code refrain migrate}: make the tables, or bring them to this version. */
@Command(
        name = "migrate",
        description =
                "Make Refrain's tables, or bring them to the version of this command. It refuses tables of a later version.",
        footer = {
            "",
            "Examples:",
            "  refrain migrate --store jdbc:sqlite:keys.db",
            "  REFRAIN_STORE_PASSWORD=… refrain migrate --user me --browsing \\",
            "      --store jdbc:postgresql://db/shop",
            "To read it first, or to apply it otherwise: refrain schema"
        })
final class MigrateCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(
            names = "--browsing",
            description =
                    "Also make the index by which keys are listed by time and found by their id, as the console does. On PostgreSQL"
                            + " beside the traffic; on SQLite the traffic waits for it.")
    private boolean browsing;

    @Option(names = "--json", description = "Answer in JSON.")
    private boolean json;

    @Override
    public Integer call() {
        store.withDatabase(source -> {
            JdbcStore.builder(source).schema(store.schema()).build().close();
            if (browsing) {
                spec.commandLine().getErr().println("Making the index for browsing, if it is not there…");
                spec.commandLine().getErr().flush();
                BrowsingIndex.create(source, store.schema());
            }
            return true;
        });
        int version = SchemaScript.of("postgresql").version();
        var out = spec.commandLine().getOut();
        out.println(
                json
                        ? RecordJson.object()
                                .put("version", version)
                                .put("browsing", browsing)
                                .toString()
                        : "The tables have version " + version
                                + (browsing ? ", and the index for browsing is there." : "."));
        out.flush();
        return ExitCode.OK;
    }
}
