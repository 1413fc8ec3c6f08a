package dev.refrain.cli;

import dev.refrain.demo.DemoFailedException;
import dev.refrain.demo.DemoPage;
import dev.refrain.demo.DemoScript;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code refrain demo}: shows failures between a shop and its bank, with and without protection. */
@Command(
        name = "demo",
        description = {
            "Show what happens when requests between a shop and its bank fail.",
            "Starts both as separate processes, makes requests between them fail in the ways they do in "
                    + "production, and compares the results with and without protection."
        },
        footer = {"", "Examples:", "  refrain demo", "  refrain demo --script"})
final class DemoCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--script",
            description =
                    "Run without a browser: print a table. Exits with 1 if anything was charged twice or lost with protection.")
    private boolean script;

    @Option(
            names = "--port",
            defaultValue = "8090",
            paramLabel = "PORT",
            description = "Port of the demo page on localhost; 0 picks a free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Override
    public Integer call() throws InterruptedException {
        if (port < 0 || port > 65_535) {
            throw CommandFailedException.usage("Invalid --port " + port + ": must be between 0 and 65535.");
        }
        var folder = Path.of(System.getProperty("java.io.tmpdir"));
        try {
            return script ? runScript(folder) : servePage(folder);
        } catch (DemoFailedException failure) {
            throw CommandFailedException.failed(String.valueOf(failure.getMessage()), failure);
        }
    }

    private int runScript(Path folder) throws DemoFailedException, InterruptedException {
        var command = spec.commandLine();
        return DemoScript.run(folder, command.getOut(), command.getErr()) ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    /** Serves the page until Ctrl-C ends the JVM; the child processes end with it. */
    private int servePage(Path folder) throws DemoFailedException, InterruptedException {
        var command = spec.commandLine();
        command.getErr().println("Starting the bank and the shop…");
        command.getErr().flush();
        try (var page = DemoPage.start(folder, port)) {
            command.getOut().println("Demo running at " + page.address() + " (Ctrl-C to stop)");
            command.getOut().flush();
            new CountDownLatch(1).await();
        }
        return ExitCode.OK;
    }
}
