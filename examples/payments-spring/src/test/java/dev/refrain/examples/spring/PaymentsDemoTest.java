package dev.refrain.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.examples.spring.process.ExampleChildProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command that starts the example. */
class PaymentsDemoTest {

    @TempDir
    private Path folder;

    @Test
    void bankIsAnotherProcessAndEndsWithTheApi() throws Exception {
        ProcessHandle bank;
        try (var demo =
                ExampleChildProcess.start(PaymentsDemo.class, "--port=0", "--file=" + folder.resolve("payments.db"))) {
            var others = demo.process().descendants().toList();
            assertThat(others).hasSize(1);
            bank = others.getFirst();
            assertThat(bank.isAlive()).isTrue();
        }
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !bank.isAlive());
    }

    @Test
    void missingPortOrDatabaseIsReportedInOneLine() throws Exception {
        var text = Files.writeString(folder.resolve("text.db"), "This is not a database, and never was one.");
        assertThat(failure("--port=0", "--file=" + text))
                .startsWith("refrain: Cannot open the database " + text + ": ");
        assertThat(failure("--port=0", "--database=jdbc:postgresql://localhost:1/x?user=me&password=secret"))
                .startsWith("refrain: Cannot open the database jdbc:postgresql://localhost:1/x: ")
                .doesNotContain("secret");
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(failure("--port=" + taken.getLocalPort(), "--file=" + folder.resolve("payments.db")))
                    .startsWith("refrain: Cannot listen on port " + taken.getLocalPort() + ": ");
        }
        assertThat(failure("--port=0")).startsWith("refrain: Usage: ");
    }

    private static String failure(String... arguments) throws IOException, InterruptedException {
        var process = ExampleChildProcess.running(PaymentsDemo.class, arguments).start();
        String told = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(told).hasLineCount(1);
        return told;
    }
}
