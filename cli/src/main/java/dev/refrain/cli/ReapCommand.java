package dev.refrain.cli;

import dev.refrain.store.jdbc.JdbcStore;
import java.time.Duration;
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
    private static final Duration TOLD_EVERY = Duration.ofSeconds(2);

    @Spec
    private CommandSpec spec;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(names = "--json", description = "Answer in JSON.")
    private boolean json;

    @Override
    public Integer call() {
        long reaped = store.use(this::reap);
        var out = spec.commandLine().getOut();
        out.println(
                json ? RecordJson.object().put("reaped", reaped).toString() : "Reaped " + reaped + " expired records.");
        out.flush();
        return ExitCode.OK;
    }

    private long reap(JdbcStore opened) {
        long reaped = 0;
        long told = System.nanoTime();
        int step;
        do {
            step = opened.reap(STEP);
            reaped += step;
            if (System.nanoTime() - told > TOLD_EVERY.toNanos()) {
                told = System.nanoTime();
                spec.commandLine().getErr().println("Reaped " + reaped + " so far…");
                spec.commandLine().getErr().flush();
            }
        } while (step == STEP);
        return reaped;
    }
}
