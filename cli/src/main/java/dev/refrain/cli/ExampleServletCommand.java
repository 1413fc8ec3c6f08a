package dev.refrain.cli;

import dev.refrain.examples.servlet.PaymentsServer;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code refrain example}: a small application to send requests to. */
@Command(
        name = "example",
        description = "Run a small payments API, protected by the servlet filter, until it is stopped with Ctrl-C.")
final class ExampleCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--port",
            defaultValue = "8080",
            paramLabel = "PORT",
            description = "Where it listens, on this machine only (${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--file",
            defaultValue = "payments.db",
            paramLabel = "FILE",
            description = "The SQLite file with its ledger and its keys (${DEFAULT-VALUE}).")
    private Path file;

    @Override
    public Integer call() throws Exception {
        try (var server = PaymentsServer.start(file.toAbsolutePath(), port)) {
            var out = spec.commandLine().getOut();
            out.println(server.described());
            out.flush();
            server.await();
        }
        return ExitCode.OK;
    }
}
