package dev.refrain.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code refrain reap}: deletes expired records now. */
@Command(
        name = "reap",
        description = {
            "Delete expired records now, in small batches.",
            "Every running instance does this once a minute anyway. Unsettled records are never deleted."
        },
        footer = {"", "Example:", "  refrain reap --store jdbc:sqlite:refrain-gateway.db"})
final class ReapCommand implements Callable<Integer> {

    private static final int BATCH_SIZE = 500;

    @Spec
    private CommandSpec spec;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() {
        long reaped = store.withStore(this::reap);
        var out = spec.commandLine().getOut();
        out.println(
                json ? RecordJson.object().put("reaped", reaped).toString() : "Reaped " + reaped + " expired records.");
        out.flush();
        return ExitCode.OK;
    }

    private long reap(OpenedStore opened) {
        var progress = new ProgressPrinter(spec.commandLine().getErr(), "Reaped");
        long reaped = 0;
        int deleted;
        do {
            deleted = opened.reap(BATCH_SIZE);
            reaped += deleted;
            progress.report(reaped);
        } while (deleted == BATCH_SIZE);
        return reaped;
    }
}
