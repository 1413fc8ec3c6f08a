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
 * {@code refrain example payments-spring}: runs the Spring Boot example in a JVM with a class path of its own, since
 * Spring Boot configures everything it finds on it.
 */
@Command(
        name = "payments-spring",
        description = {
            "Run a payments API on Spring Boot and its bank as a second process.",
            "Prints requests to try. Stop both with Ctrl-C."
        },
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
            description = "Port to listen on, on localhost; 0 picks a free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @ArgGroup
    private @Nullable DatabaseLocation place;

    /** Database of the ledger and the keys: a SQLite file or a PostgreSQL URL. */
    static final class DatabaseLocation {
        @Option(
                names = "--file",
                paramLabel = "FILE",
                description = "SQLite file for the ledger and the keys (default: payments-spring.db).")
        private @Nullable Path file;

        @Option(
                names = "--database",
                paramLabel = "JDBC-URL",
                description = "PostgreSQL database for the ledger and the keys instead. Missing tables are created.")
        private @Nullable String database;

        String argument() {
            return database != null ? "--database=" + database : "--file=" + file;
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (port < 0 || port > 65_535) {
            throw CommandFailedException.usage("Invalid --port " + port + ": must be between 0 and 65535.");
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
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stopAndWait(process)));
        return process.waitFor();
    }

    /** Waits for the exit, so that nothing is still running when the prompt is back. */
    private static void stopAndWait(Process process) {
        process.destroy();
        process.onExit().join();
    }

    /** Directory of the example's jars, which the launcher puts next to this one. */
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
            throw CommandFailedException.failed(ExampleCommand.NOT_INSTALLED, null);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
