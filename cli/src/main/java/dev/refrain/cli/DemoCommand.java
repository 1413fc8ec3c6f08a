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

/** {@code refrain demo}: a shop and its bank, and what goes wrong between them. */
@Command(
        name = "demo",
        description =
                "Start a shop and its bank as processes of their own, make everything go wrong between them that does in real life,"
                        + " with protection and without, and show what each of them saw.",
        footer = {"", "Examples:", "  refrain demo", "  refrain demo --script"})
final class DemoCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--script",
            description =
                    "Without a browser: print a table, and fail if with protection something was charged twice or lost.")
    private boolean script;

    @Option(
            names = "--port",
            defaultValue = "8090",
            paramLabel = "PORT",
            description = "Where its page is, on this machine only; 0 for any free port (${DEFAULT-VALUE}).")
    private int port;

    @Override
    public Integer call() throws InterruptedException {
        if (port < 0 || port > 65_535) {
            throw CommandFailedException.usage("There is no port " + port + ": ports are 0 to 65535.");
        }
        var folder = Path.of(System.getProperty("java.io.tmpdir"));
        try {
            return script ? table(folder) : page(folder);
        } catch (DemoFailedException failure) {
            throw CommandFailedException.failed(String.valueOf(failure.getMessage()), failure);
        }
    }

    private int table(Path folder) throws DemoFailedException, InterruptedException {
        var command = spec.commandLine();
        return DemoScript.run(folder, command.getOut(), command.getErr()) ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    /** Until Ctrl-C, which ends the JVM; what it started ends with it. */
    private int page(Path folder) throws DemoFailedException, InterruptedException {
        var command = spec.commandLine();
        command.getErr().println("Starting a bank and a shop…");
        command.getErr().flush();
        try (var page = DemoPage.start(folder, port)) {
            command.getOut().println("The demo is at " + page.address() + " until Ctrl-C.");
            command.getOut().flush();
            new CountDownLatch(1).await();
        }
        return ExitCode.OK;
    }
}
