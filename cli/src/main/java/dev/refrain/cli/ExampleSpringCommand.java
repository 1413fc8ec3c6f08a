package dev.refrain.cli;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code refrain example payments-spring}: runs on a class path of its own, since Spring Boot configures whatever it finds on one.
 */
@Command(
        name = "payments-spring",
        description =
                "Run a payments API on Spring Boot, and its bank as another process, until both are stopped with Ctrl-C. It tells what to try.",
        footer = {
            "",
            "Examples:",
            "  refrain example payments-spring",
            "  refrain example payments-spring --port 9000 --file /tmp/payments.db",
            "  refrain example payments-spring \\",
            "    --database 'jdbc:postgresql://localhost/db?user=me&password=secret'"
        })
final class ExampleSpringCommand implements Callable<Integer> {

    private static final String MAIN = "dev.refrain.examples.spring.PaymentsDemo";

    @Option(
            names = "--port",
            defaultValue = "8080",
            paramLabel = "PORT",
            description = "Where it listens, on this machine only; 0 for any free port (${DEFAULT-VALUE}).")
    private int port;

    @ArgGroup
    private @Nullable DatabaseLocation place;

    /** Where the ledger and the keys are. */
    static final class DatabaseLocation {
        @Option(
                names = "--file",
                paramLabel = "FILE",
                description = "The SQLite file with its ledger and its keys (payments-spring.db).")
        private @Nullable Path file;

        @Option(
                names = "--database",
                paramLabel = "JDBC-URL",
                description = "A PostgreSQL database for both instead. The tables are made if they are missing.")
        private @Nullable String database;

        String argument() {
            return database != null ? "--database=" + database : "--file=" + file;
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (port < 0 || port > 65_535) {
            throw CommandFailedException.usage("There is no port " + port + ": ports are 0 to 65535.");
        }
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-Drefrain.example.starter=" + ProcessHandle.current().pid(),
                        "-cp",
                        classPath().resolve("*").toString(),
                        MAIN,
                        "--port=" + port,
                        place == null ? "--file=payments-spring.db" : place.argument())
                .inheritIO()
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(process)));
        return process.waitFor();
    }

    /** So that nothing is left running when the prompt is back. */
    private static void end(Process process) {
        process.destroy();
        process.onExit().join();
    }

    /** The launcher gathers it beside our own. */
    private static Path classPath() {
        try {
            var here = Path.of(ExampleSpringCommand.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            var folder = here.resolveSibling("payments-spring");
            if (Files.isDirectory(folder)) {
                return folder;
            }
            throw CommandFailedException.failed(
                    "This example is started by ./refrain, which gathers its class path: there is none in " + folder
                            + ".",
                    null);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
