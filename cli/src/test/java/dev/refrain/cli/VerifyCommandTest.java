package dev.refrain.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.examples.servlet.PaymentsServer;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class VerifyCommandTest {

    private static final String[] ELSEWHERE = {
        "http://api.invalid", "--route", "POST /payments", "--body", "{\"amount\":{{n}}}", "--only", "replay-same"
    };

    private static CommandResult verifyWithInput(String answer, String... arguments) {
        var in = new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8));
        var command = new CommandLine(new VerifyCommand(in));
        command.setExecutionExceptionHandler(new CommandErrorHandler(java.util.Map.of()));
        return CommandResult.refrain(command, arguments);
    }

    @Test
    void exampleApiPassesAndReportsAreWritten(@TempDir Path folder) throws Exception {
        var junit = folder.resolve("verify.xml");
        var json = folder.resolve("verify.json");
        try (var server = PaymentsServer.start(folder.resolve("payments.db"), 0)) {
            CommandResult ran = CommandResult.refrain(
                    "verify",
                    "http://localhost:" + server.port(),
                    "--route",
                    "POST /payments",
                    "--body",
                    "{\"amount\":{{n}},\"currency\":\"EUR\"}",
                    "--effects",
                    "GET /payments#/payments",
                    "--only",
                    "replay-same,mismatch-body",
                    "--junit",
                    junit.toString(),
                    "--json",
                    json.toString());

            assertThat(ran.exitCode()).as(ran.out() + ran.err()).isZero();
            assertThat(ran.out()).contains("passed   mismatch-body", "4 passed, 0 with advice, 0 failed, 0 skipped");
            assertThat(ran.err()).contains("[4/4] mismatch-body: passed");
            assertThat(junit).content().contains("<testsuite", "tests=\"4\"");
            assertThat(json).content().contains("\"failed\" : 0");
        }
    }

    @Test
    void bodyIsReadFromFile(@TempDir Path folder) throws Exception {
        var body = Files.writeString(folder.resolve("charge.json"), "{\"amount\": {{n}}, \"currency\": \"EUR\"}\n");
        try (var server = PaymentsServer.start(folder.resolve("payments.db"), 0)) {
            CommandResult ran = CommandResult.refrain(
                    "verify",
                    "http://localhost:" + server.port(),
                    "--route",
                    "POST /payments",
                    "--body",
                    "@" + body,
                    "--only",
                    "mismatch-body");

            assertThat(ran.exitCode()).as(ran.out() + ran.err()).isZero();
            assertThat(ran.out()).contains("passed   mismatch-body");
        }
    }

    @Test
    void failedCaseExitsWithOne(@TempDir Path folder) throws Exception {
        try (var server = PaymentsServer.start(folder.resolve("payments.db"), 0)) {
            CommandResult ran = CommandResult.refrain(
                    "verify",
                    "localhost:" + server.port(),
                    "--route",
                    "POST /payments",
                    "--body",
                    "{\"amount\":1,\"currency\":\"EUR\"}",
                    "--profile",
                    "square",
                    "--only",
                    "mismatch-body");

            assertThat(ran.exitCode()).isEqualTo(1);
            assertThat(ran.out()).contains("FAILED  mismatch-body", "expected  409 (profile square)");
        }
    }

    @Test
    void remoteApiIsConfirmedWithTheNumberOfRequests() {
        CommandResult ran = verifyWithInput("n\n", ELSEWHERE);

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err())
                .contains(
                        "This will send up to 7 requests", "POST /payments at http://api.invalid", "nothing was sent");
    }

    @Test
    void nothingIsSentWithoutConfirmation() {
        assertThat(verifyWithInput("", ELSEWHERE).err()).contains("nothing was sent");
    }

    @Test
    void unreachableApiExitsWithTwo() {
        CommandResult ran = verifyWithInput("y\n", ELSEWHERE);

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("is unreachable");
    }

    @Test
    void listDescribesEveryCase() {
        CommandResult ran = CommandResult.refrain("verify", "--list");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out()).contains("concurrent-one-effect", "double click", "§2.7");
    }

    @ParameterizedTest
    @ValueSource(strings = {"7d", "24h", "5m", "2s", "500ms"})
    void retentionIsWrittenAsInSettings(String written) {
        assertThat(usage("http://localhost:1", "--retention", written)).contains("--route are required");
    }

    @Test
    void invalidArgumentsAreReportedInOneLine(@TempDir Path folder) throws Exception {
        var body = Files.writeString(folder.resolve("body.json"), "{}");
        assertThat(usage("http://localhost:1")).contains("--route are required");
        assertThat(usage("http://localhost:1", "--route", "/payments")).contains("is not a route");
        assertThat(usage("http://localhost:1", "--route", "GET /payments")).contains("keys protect POST");
        assertThat(usage("http://localhost:1", "--route", "POST /p", "--profile", "x"))
                .contains("Available: default");
        assertThat(usage("http://localhost:1", "--route", "POST /p", "--only", "x"))
                .contains("Unknown case 'x'");
        assertThat(usage("http://localhost:1", "--route", "POST /p", "--body", body.toString()))
                .contains("use @");
        assertThat(usage("http://localhost:1", "--route", "POST /p", "-H", "A: ${NOT_SET_HERE}"))
                .contains("NOT_SET_HERE, which is not set");
        assertThat(usage("http://me:secret@localhost:1", "--route", "POST /p")).contains("contains a user name");
        assertThat(usage("http://localhost:1", "--route", "POST /p", "--concurrency", "5000"))
                .contains("not a load test");
        assertThat(usage("http://localhost:1", "--route", "POST /p", "--timeout", "soon"))
                .contains("is not a duration");
        assertThat(usage("http://localhost:1", "--route", "POST /p", "--retention", "-PT3S"))
                .contains("is not a duration");
        assertThat(usage("http://localhost:1", "--route", "POST /p", "--max-requests", "3"))
                .contains("more than the 3");
    }

    private static String usage(String... arguments) {
        var all = new String[arguments.length + 1];
        all[0] = "verify";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        CommandResult ran = CommandResult.refrain(all);
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).hasLineCount(1);
        return ran.err();
    }
}
