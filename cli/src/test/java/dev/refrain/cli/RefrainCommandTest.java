package dev.refrain.cli;

import static dev.refrain.cli.CommandResult.refrain;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class RefrainCommandTest {

    @Test
    void helpListsCommandsAndExitCodes() {
        CommandResult ran = refrain("--help");
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out())
                .contains("bench", "schema", "Exit codes:", "invalid usage")
                .contains("Start here:", "refrain gateway --upstream");
        assertThat(refrain("reap", "--help").out()).doesNotContain("Start here:");
        assertThat(ran.err()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void eachCommandHasHelpWithExitCodesAndExamples(String command) {
        CommandResult ran = refrain((command + " --help").split(" "));
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out())
                .startsWith("Usage: refrain " + command)
                .contains("Exit codes:")
                .containsPattern("(?s)Examples?:.*refrain " + command);
    }

    static List<String> commands() {
        var found = new ArrayList<String>();
        collect("", RefrainCommand.commandLine(), found);
        assertThat(found).contains("keys list", "gateway health", "migrate").hasSizeGreaterThan(20);
        return found;
    }

    private static void collect(String path, CommandLine parent, List<String> found) {
        for (var command : Set.copyOf(parent.getSubcommands().values())) {
            String name = (path + " " + command.getCommandName()).strip();
            found.add(name);
            collect(name, command, found);
        }
    }

    @Test
    void versionIsPrinted() {
        CommandResult ran = refrain("--version");
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out()).matches("(?s)refrain \\d+\\.\\d+\\.\\d+.*Java .*");
    }

    @Test
    void completionKnowsCommandsAndOptions() {
        CommandResult ran = refrain("completion");
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out())
                .startsWith("#!/usr/bin/env bash")
                .contains("complete -F", "deadletters", "--ask-password");
    }

    @Test
    void storeIsReadFromTheEnvironment(@TempDir Path folder) throws Exception {
        assertThat(refrainWith(folder, Map.of()))
                .contains("Missing required option", "--store", "Or set REFRAIN_CLI_STORE.");
        assertThat(refrainWith(folder, Map.of("REFRAIN_CLI_STORE", "jdbc:sqlite:none.db")))
                .startsWith("refrain: File not found: none.db");
        assertThat(refrainWith(
                        folder, Map.of("REFRAIN_CLI_STORE", "jdbc:sqlite:none.db"), "--store", "jdbc:sqlite:other.db"))
                .startsWith("refrain: File not found: other.db");
    }

    @Test
    void userIsReadFromTheEnvironment(@TempDir Path folder) throws Exception {
        try (var server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            var greetings = new LinkedBlockingQueue<String>();
            Thread.ofVirtual().start(() -> readGreetings(server, greetings));
            String url =
                    "jdbc:postgresql://127.0.0.1:" + server.getLocalPort() + "/shop?sslmode=disable&gssEncMode=disable";

            refrainWith(folder, Map.of("REFRAIN_CLI_STORE", url, "REFRAIN_STORE_USER", "operator"));
            assertThat(greetings.take()).contains("user\0operator\0");

            greetings.clear();
            refrainWith(folder, Map.of("REFRAIN_CLI_STORE", url, "REFRAIN_STORE_USER", "operator"), "--user", "me");
            assertThat(greetings.take()).contains("user\0me\0");
        }
    }

    /** Receives the first message of each client, as a PostgreSQL does, and hangs up. */
    private static void readGreetings(ServerSocket server, Queue<String> greetings) {
        try {
            while (true) {
                try (var client = server.accept()) {
                    var in = new DataInputStream(client.getInputStream());
                    greetings.add(new String(in.readNBytes(in.readInt() - Integer.BYTES), UTF_8));
                }
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private static String refrainWith(Path folder, Map<String, String> variables, String... options) throws Exception {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                RefrainCommand.class.getName(),
                "attention"));
        command.addAll(List.of(options));
        var process = new ProcessBuilder(command).directory(folder.toFile());
        process.environment().keySet().removeIf(name -> name.startsWith("REFRAIN_"));
        process.environment().putAll(variables);
        var running = process.start();
        String error = new String(running.getErrorStream().readAllBytes(), UTF_8);
        running.waitFor();
        return error;
    }

    @Test
    void missingCommandPrintsUsageAndFails() {
        CommandResult ran = refrain();
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("Usage: refrain");
        assertThat(ran.out()).isEmpty();
    }

    @Test
    void unknownCommandIsReportedInOneLine() {
        CommandResult ran = refrain("bogus");
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err())
                .isEqualToIgnoringNewLines(
                        "refrain: Unknown command 'bogus'. Available: attention, bench, completion, console, deadletters, demo, erase, "
                                + "example, gateway, keys, migrate, outbox, reap, schema, verify. Try 'refrain --help'.");
    }

    @Test
    void missingExampleNamePrintsUsage() {
        CommandResult ran = refrain("example");
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("Usage: refrain example", "payments-servlet", "payments-spring");
        assertThat(refrain("example", "bogus").err())
                .isEqualToIgnoringNewLines(
                        "refrain: Unknown command 'bogus'. Available: payments-servlet, payments-spring. Try 'refrain "
                                + "example --help'.");
    }

    @Test
    void exampleThatCannotStartIsReportedInOneLine() {
        CommandResult nowhere = refrain("example", "payments-spring", "--port", "70000");
        assertThat(nowhere.exitCode()).isEqualTo(2);
        assertThat(nowhere.err())
                .isEqualToIgnoringNewLines("refrain: Invalid --port 70000: must be between 0 and 65535.");
        CommandResult both =
                refrain("example", "payments-spring", "--file", "a.db", "--database", "jdbc:postgresql://localhost/a");
        assertThat(both.exitCode()).isEqualTo(2);
        assertThat(both.err()).contains("mutually exclusive").hasLineCount(1);
        CommandResult elsewhere = refrain("example", "payments-spring");
        assertThat(elsewhere.exitCode()).isEqualTo(1);
        assertThat(elsewhere.err())
                .startsWith("refrain: The examples are not part of this distribution.")
                .hasLineCount(1);
    }

    @Test
    void unknownOptionIsReportedInOneLine() {
        CommandResult ran = refrain("schema", "--bogus");
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).startsWith("refrain: ").contains("--bogus").hasLineCount(1);
    }

    @Test
    void stackTraceIsPrintedOnlyWithDebug() {
        assertThat(refrain(failing(Map.of()), "bench").err())
                .isEqualToIgnoringNewLines("refrain: the roof is gone (Use --debug for the stack trace.)");
        assertThat(refrain(failing(Map.of()), "bench", "--debug").err()).contains("the roof is gone", "\tat ");
        assertThat(refrain(failing(Map.of()), "--debug", "bench").err()).contains("the roof is gone", "\tat ");
        assertThat(refrain(failing(Map.of("REFRAIN_DEBUG", "1")), "bench").err())
                .contains("the roof is gone", "\tat ");
        assertThat(refrain(failing(Map.of()), "bench").exitCode()).isEqualTo(1);
    }

    private static CommandLine failing(Map<String, String> environment) {
        var failures = new CommandErrorHandler(environment);
        var bench = new BenchCommand((request, out) -> {
            throw new IllegalStateException("the roof is gone");
        });
        var command = RefrainCommand.commandLine();
        command.getCommandSpec().removeSubcommand("bench");
        return command.addSubcommand("bench", bench)
                .setExecutionExceptionHandler(failures)
                .setParameterExceptionHandler(failures);
    }
}
