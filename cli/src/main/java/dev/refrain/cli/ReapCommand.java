package dev.refrain.cli;

import dev.refrain.store.jdbc.JdbcStore;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code refrain reap}: delete what has expired, now. */
@Command(
        name = "reap",
        description =
                "Delete the expired records now, in small steps, as every instance does by itself once a minute. What is not"
                        + " settled is never deleted.")
final class ReapCommand implements Callable<Integer> {

    private static final int STEP = 500;

    @Spec
    private CommandSpec spec;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(names = "--json", description = "Answer in JSON.")
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

    private long reap(JdbcStore opened) {
        var progress = new ProgressPrinter(spec.commandLine().getErr(), "Reaped");
        long reaped = 0;
        int step;
        do {
            step = opened.reap(STEP);
            reaped += step;
            progress.report(reaped);
        } while (step == STEP);
        return reaped;
    }
}
