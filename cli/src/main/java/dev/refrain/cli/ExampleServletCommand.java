package dev.refrain.cli;

import dev.refrain.examples.servlet.PaymentsServer;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code refrain example payments-servlet}: runs a payments API in one servlet, on one SQLite file. */
@Command(
        name = "payments-servlet",
        description = {
            "Run a payments API in a single servlet, protected by the filter, with its ledger and its keys in "
                    + "one SQLite file.",
            "Stop it with Ctrl-C."
        },
        footer = {
            "",
            "Examples:",
            "  refrain example payments-servlet",
            "  refrain example payments-servlet --port 9000 --file payments.db"
        })
final class ExampleServletCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--port",
            defaultValue = "8080",
            paramLabel = "PORT",
            description = "Port to listen on, on localhost (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--file",
            defaultValue = "payments.db",
            paramLabel = "FILE",
            description = "SQLite file for the ledger and the keys (default: ${DEFAULT-VALUE}).")
    private Path file;

    @Override
    public Integer call() throws Exception {
        try (var server = PaymentsServer.start(file.toAbsolutePath(), port)) {
            var out = spec.commandLine().getOut();
            out.println(server.described());
            out.flush();
            server.await();
        } catch (NoClassDefFoundError missing) {
            throw CommandFailedException.failed(ExampleCommand.NOT_INSTALLED, missing);
        }
        return ExitCode.OK;
    }
}
