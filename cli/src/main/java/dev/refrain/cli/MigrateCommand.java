package dev.refrain.cli;

import dev.refrain.store.jdbc.BrowsingIndex;
import dev.refrain.store.jdbc.JdbcStore;
import dev.refrain.store.jdbc.SchemaVersion;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code refrain migrate}: creates or upgrades the tables. */
@Command(
        name = "migrate",
        description = {
            "Create Refrain's tables, or upgrade them to the version of this command.",
            "Leaves tables of a later version as they are, and fails if this version must not use them."
        },
        footer = {
            "",
            "Examples:",
            "  refrain migrate --store jdbc:sqlite:keys.db",
            "  REFRAIN_STORE_PASSWORD=… refrain migrate --user me --browsing \\",
            "      --store jdbc:postgresql://db/shop",
            "To review the DDL first or apply it yourself, use: refrain schema"
        })
final class MigrateCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(
            names = "--browsing",
            description =
                    "Also create the index for listing keys by time and finding them by id, which the console uses. "
                            + "PostgreSQL builds it concurrently; on SQLite, writers wait for it.")
    private boolean browsing;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() {
        if (store.isCreatedByOpening()) {
            return createOther();
        }
        SchemaVersion tables = store.withDatabase(source -> {
            JdbcStore.builder(source).schema(store.schema()).build().close();
            if (browsing) {
                spec.commandLine().getErr().println("Creating the browsing index if it is missing…");
                spec.commandLine().getErr().flush();
                BrowsingIndex.create(source, store.schema());
            }
            return SchemaVersion.of(source, store.schema());
        });
        var out = spec.commandLine().getOut();
        out.println(
                json
                        ? RecordJson.object()
                                .put("version", tables.version())
                                .put("oldestReader", tables.oldestReader())
                                .put("browsing", browsing)
                                .toString()
                        : "Schema is at version " + tables.version() + ", oldest reader " + tables.oldestReader()
                                + (browsing ? "; the browsing index exists." : "."));
        out.flush();
        return ExitCode.OK;
    }

    /** A store that is no database has a version in each record, and no browsing. */
    private int createOther() {
        if (browsing) {
            throw CommandFailedException.usage("This store cannot be browsed. Leave --browsing out.");
        }
        String name = store.create();
        var out = spec.commandLine().getOut();
        out.println(json ? RecordJson.object().put("store", name).toString() : "The table is there: " + name + ".");
        out.flush();
        return ExitCode.OK;
    }
}
