package dev.refrain.cli;

import static dev.refrain.cli.CommandResult.refrain;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.refrain.servers.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The gateway as it is started by hand. */
class GatewayCommandTest {

    private static final String MISSING = "An out-of-memory error will not end this process";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"-XX:+ExitOnOutOfMemoryError", "-XX:-ExitOnOutOfMemoryError"})
    void startSaysWhatIsBufferedAndWhetherAnOutOfMemoryErrorEndsIt(String option) throws Exception {
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Xmx96m",
                        "-XX:TieredStopAtLevel=1",
                        option,
                        "-cp",
                        System.getProperty("java.class.path"),
                        RefrainCommand.class.getName(),
                        "gateway",
                        "--upstream=http://127.0.0.1:9",
                        "--listen=127.0.0.1:0",
                        "--admin=off",
                        "--store=jdbc:sqlite:" + folder.resolve("keys.db"))
                .redirectErrorStream(true)
                .start();
        try {
            var said = linesUntil(process, "All callers share their keys");
            assertThat(said).anyMatch(line -> line.startsWith("Bodies are buffered in up to 24 MB"));
            assertThat(said)
                    .anyMatch(line -> line.startsWith("Requests with a key that no route covers: ")
                            && line.endsWith(" (gateway.others: protect)."));
            // Unlike the process itself, its handle leaves what it said readable.
            process.toHandle().destroy();
            said.addAll(linesUntil(process, "nothing"));
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(said.stream().anyMatch(line -> line.startsWith(MISSING))).isEqualTo(option.contains("-Exit"));
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void storeIsRedisByItsUrlAlone() throws Exception {
        try (var server = RedisServer.start()) {
            var builder = new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    RefrainCommand.class.getName(),
                    "gateway",
                    "--upstream=http://127.0.0.1:9",
                    "--listen=127.0.0.1:0",
                    "--admin=127.0.0.1:0",
                    "--store=redis://127.0.0.1:" + server.port());
            builder.environment().put("REFRAIN_STORE_PASSWORD", server.password());
            var process = builder.redirectErrorStream(true).start();
            try {
                var said = linesUntil(process, "Health and metrics listening on ");
                assertThat(said)
                        .anyMatch(line -> line.startsWith("Gateway listening on ")
                                && line.contains("Keys are stored in redis://127.0.0.1:" + server.port()))
                        .noneMatch(line -> line.contains(server.password()));
                String admin = said.getLast().replaceFirst("^.*:(\\d+): /live.*$", "$1");
                assertThat(refrain("gateway", "health", "--admin", admin).out()).startsWith("The gateway is ready.");
            } finally {
                process.destroyForcibly();
            }
        }
    }

    private static List<String> linesUntil(Process process, String start) throws IOException {
        var lines = new ArrayList<String>();
        var out = process.inputReader(StandardCharsets.UTF_8);
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            lines.add(line);
            if (line.startsWith(start)) {
                break;
            }
        }
        return lines;
    }

    @Test
    void launcherEndsAtAnOutOfMemoryErrorWithTheCodeOfTheVirtualMachine() throws IOException {
        assertThat(Files.readString(Path.of("../refrain")))
                .contains("exec \"$jdk/bin/java\" --enable-native-access=ALL-UNNAMED -XX:+ExitOnOutOfMemoryError ");
        assertThat(Files.readString(Path.of("../dist/src/bin/refrain")))
                .contains("exec \"$java/bin/java\" --enable-native-access=ALL-UNNAMED -XX:+ExitOnOutOfMemoryError ");
    }

    @Test
    void healthIsWhatTheAdminPagesAnswer() throws Exception {
        var ready = new AtomicInteger(200);
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/live", exchange -> exchange.sendResponseHeaders(200, -1));
        server.createContext("/ready", exchange -> exchange.sendResponseHeaders(ready.get(), -1));
        server.start();
        String port = Integer.toString(server.getAddress().getPort());
        try {
            assertThat(refrain("gateway", "health", "--admin", port).out()).startsWith("The gateway is ready.");
            ready.set(503);
            var away = refrain("gateway", "health", "--admin", "127.0.0.1:" + port);
            assertThat(away.exitCode()).isEqualTo(1);
            assertThat(away.err())
                    .contains("is not ready", "/ready answered 503")
                    .hasLineCount(1);
            assertThat(refrain("gateway", "health", "--live", "--admin", port).out())
                    .startsWith("The gateway is live.");
        } finally {
            server.stop(0);
        }
        var gone = refrain("gateway", "health", "--admin", port);
        assertThat(gone.exitCode()).isEqualTo(1);
        assertThat(gone.err())
                .startsWith("refrain: No answer from http://127.0.0.1:" + port)
                .hasLineCount(1);
        assertThat(refrain("gateway", "health", "--admin", "a b:1").exitCode()).isEqualTo(2);
    }
}
