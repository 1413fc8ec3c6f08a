package dev.refrain.cli;

import dev.refrain.demo.DemoFailure;
import dev.refrain.demo.DemoScript;
import java.nio.file.Path;
import java.util.concurrent.Callable;
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
        footer = {"", "Example:", "  refrain demo --script"})
final class DemoCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--script",
            description = "Print a table, and fail if with protection something was charged twice or lost.")
    private boolean script;

    @Override
    public Integer call() throws InterruptedException {
        var command = spec.commandLine();
        if (!script) {
            command.getErr().println("The page of the demo is not there yet; this is refrain demo --script.");
        }
        try {
            var folder = Path.of(System.getProperty("java.io.tmpdir"));
            return DemoScript.run(folder, command.getOut(), command.getErr()) ? ExitCode.OK : ExitCode.SOFTWARE;
        } catch (DemoFailure failure) {
            throw CommandFailure.failed(String.valueOf(failure.getMessage()), failure);
        }
    }
}
