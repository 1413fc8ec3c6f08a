package dev.refrain.http.client;

import static dev.refrain.http.client.ScriptedHttpServer.answer;
import static dev.refrain.http.client.ScriptedHttpServer.silence;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Client in real processes that are killed. */
class ClientCrashTest {

    @TempDir
    Path folder;

    private final List<Process> children = new CopyOnWriteArrayList<>();

    @AfterEach
    void noChildProcessIsLeft() {
        children.forEach(Process::destroyForcibly);
    }

    private Process start(String... orders) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                ClientProcess.class.getName()));
        command.addAll(List.of(orders));
        var child = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        children.add(child);
        return child;
    }

    private static List<String> outputOf(Process child) throws IOException, InterruptedException {
        var lines = new String(child.getInputStream().readAllBytes()).lines().toList();
        assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(child.exitValue()).isZero();
        return lines;
    }

    private static ScriptedHttpServer.RecordedRequest next(ScriptedHttpServer wire) throws InterruptedException {
        var seen = wire.seen.poll(60, TimeUnit.SECONDS);
        assertThat(seen).as("a request").isNotNull();
        return seen;
    }

    private static void kill(Process child) throws InterruptedException {
        child.destroyForcibly();
        assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }

    private List<Path> kept() {
        try (var files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".intent")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void killedClientResendsUnderTheSameKeyAfterRestart() throws Exception {
        try (var wire = new ScriptedHttpServer(silence(), answer(201, "paid", "Idempotent-Replayed: true"))) {
            var killed = start("send", folder.toString(), wire.uri().toString());
            var first = next(wire);
            kill(killed);

            var back = outputOf(start("resume", folder.toString()));
            var second = next(wire);

            assertThat(second.key()).isEqualTo(first.key());
            assertThat(second.body()).isEqualTo(first.body());
            assertThat(back)
                    .containsExactly(
                            "pending 1",
                            "answered 201 paid under " + first.key().replace("\"", ""));
            assertThat(kept()).isEmpty();
            assertThat(outputOf(start("resume", folder.toString()))).containsExactly("pending 0");
        }
    }

    @Test
    void requestIsOnDiskBeforeTheFirstConnection() throws Exception {
        var keptAtConnect = new CopyOnWriteArrayList<String>();
        try (var wire = new ScriptedHttpServer(
                () -> kept().forEach(file -> keptAtConnect.add(contentOf(file))), answer(201, "paid"))) {
            outputOf(start("send", folder.toString(), wire.uri().toString()));

            var key = next(wire).key();
            assertThat(keptAtConnect).singleElement().asString().contains("\"key\":" + key);
            assertThat(wire.troubles).isEmpty();
        }
    }

    @Test
    void twoProcessesNeverSendTheSameRequestConcurrently() throws Exception {
        try (var wire = new ScriptedHttpServer(silence(), answer(201, "paid"))) {
            var sending = start("send", folder.toString(), wire.uri().toString());
            var key = next(wire).key().replace("\"", "");

            assertThat(outputOf(start("resume", folder.toString()))).containsExactly("pending 1", "taken " + key);
            assertThat(wire.seen).isEmpty();

            kill(sending);
            assertThat(outputOf(start("resume", folder.toString())))
                    .containsExactly("pending 1", "answered 201 paid under " + key);
        }
    }

    @Test
    void processesStartedTogetherSendEachPendingRequestOnce() throws Exception {
        try (var wire = new ScriptedHttpServer(answer(201, "paid"))) {
            var intents = PendingRequestStore.inFolder(folder);
            for (int i = 0; i < 50; i++) {
                var now = Instant.now();
                var request = ResendableRequest.postJson(wire.uri(), "{}");
                intents.save(new PendingRequest("key-" + i, request, now, now.plusSeconds(600)))
                        .orElseThrow()
                        .close();
            }

            var together = List.of(
                    start("resume", folder.toString()),
                    start("resume", folder.toString()),
                    start("resume", folder.toString()));
            for (var child : together) {
                outputOf(child);
            }

            assertThat(wire.keys()).hasSize(50).doesNotHaveDuplicates();
            assertThat(kept()).isEmpty();
        }
    }

    @Test
    void secondStoreInTheSameProcessDoesNotReleaseLocksOfTheFirst() throws Exception {
        var intent = PendingRequestStoreContract.intent("a", 1);
        try (var hold = PendingRequestStore.inFolder(folder).save(intent).orElseThrow()) {
            var other = PendingRequestStore.inFolder(folder);
            assertThat(other.pending()).isEmpty();
            assertThat(other.acquire("a")).isEmpty();
            assertThat(other.save(intent)).isEmpty();

            assertThat(outputOf(start("resume", folder.toString()))).containsExactly("pending 1", "taken a");
        }
    }

    private static String contentOf(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
