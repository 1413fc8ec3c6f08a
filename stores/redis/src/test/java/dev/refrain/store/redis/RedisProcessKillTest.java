package dev.refrain.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.LeasedOperation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.api.RefrainException;
import dev.refrain.servers.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests client processes that are SIGKILLed in the middle of their work, and others that go on with the same keys. */
class RedisProcessKillTest {

    private static final int KEYS = 40;
    private static final Duration WORK = Duration.ofMillis(200);
    private static final Duration SOON = Duration.ofSeconds(120);

    private static String key(int number) {
        return "key-" + number + "-of-payments";
    }

    /** Client of two operations, of which one holds after a crash and the other runs again. */
    private record PayingClient(
            LeasedOperation<Outcome.Answer> hold, LeasedOperation<Outcome.Answer> resume, Path effects) {

        static PayingClient of(Refrain refrain, Path effects) {
            return new PayingClient(
                    refrain.operation("hold").lease(Duration.ofSeconds(2)).leased(LeaseExpiryPolicy.HOLD),
                    refrain.operation("resume").lease(Duration.ofSeconds(2)).leased(LeaseExpiryPolicy.RESUME),
                    effects);
        }

        /** Pays once, under the derived key that the bank would tell a repetition by. */
        Outcome.Answer pay(LeasedOperation<Outcome.Answer> operation, String name, String key) {
            return operation.run(OperationCall.scope("tenant-1").key(key).request("one euro"), claim -> {
                String derived = claim.derivedKey("bank");
                append(name + " " + key + " " + derived + "\n");
                // Long enough to be killed in.
                LockSupport.parkNanos(WORK.toNanos());
                return new Outcome.Answer(200, List.of(), SampleClaims.payload(derived));
            });
        }

        private void append(String line) {
            try {
                Files.writeString(effects, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void payAll() {
            try (var callers = Executors.newFixedThreadPool(4)) {
                for (int i = 0; i < KEYS; i++) {
                    String key = key(i);
                    callers.execute(() -> quietly(hold, "hold", key));
                    callers.execute(() -> quietly(resume, "resume", key));
                }
            }
        }

        private void quietly(LeasedOperation<Outcome.Answer> operation, String name, String key) {
            try {
                pay(operation, name, key);
            } catch (RefrainException e) {
                // In progress, or unknown: somebody asks again.
            }
        }
    }

    /** As a process of its own: pays all keys until it is killed. */
    public static void main(String[] arguments) {
        try (var store = RedisStore.at(arguments[0]);
                var refrain = Refrain.using(store)) {
            var client = PayingClient.of(refrain, Path.of(arguments[1]));
            while (true) {
                client.payAll();
            }
        }
    }

    private static Process start(String url, Path effects) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RedisProcessKillTest.class.getName(),
                        url,
                        effects.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static List<String> effects(Path file) throws IOException {
        return Files.exists(file) ? Files.readAllLines(file, StandardCharsets.UTF_8) : List.of();
    }

    @Test
    void workOfAKilledProcessIsHeldOrRunsAgainUnderTheSameDerivedKey(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("effects");
        try (var server = RedisServer.start()) {
            for (int kills = 0; kills < 2; kills++) {
                int before = effects(file).size();
                var processes = new ArrayList<Process>();
                try {
                    processes.add(start(server.url(), file));
                    processes.add(start(server.url(), file));
                    await().atMost(SOON)
                            .pollInterval(Duration.ofMillis(20))
                            .until(() -> effects(file).size() > before + 5);
                } finally {
                    processes.forEach(Process::destroyForcibly);
                }
                for (var process : processes) {
                    process.waitFor();
                }
            }
            try (var store = RedisStore.at(server.url());
                    var refrain = Refrain.using(store)) {
                var client = PayingClient.of(refrain, file);
                var answers = new HashMap<String, String>();
                for (int i = 0; i < KEYS; i++) {
                    String key = key(i);
                    await().atMost(SOON)
                            .ignoreExceptions()
                            .untilAsserted(() -> answers.put(
                                    key,
                                    new String(
                                            client.pay(client.resume(), "resume", key)
                                                    .body()
                                                    .bytes(),
                                            StandardCharsets.UTF_8)));
                }
                await().atMost(SOON).until(() -> {
                    client.payAll();
                    store.sweep(Duration.ZERO, KEYS);
                    return store.countUnsettled(KEYS).inProgress() == 0;
                });

                var all = effects(file).stream().map(line -> line.split(" ")).toList();
                var held = all.stream()
                        .filter(each -> each[0].equals("hold"))
                        .collect(Collectors.groupingBy(each -> each[1]));
                assertThat(held)
                        .as("at most once, whoever was killed")
                        .allSatisfy((key, runs) -> assertThat(runs).hasSize(1));
                assertThat(store.listAttention(null, KEYS))
                        .as("killed in the middle")
                        .isNotEmpty();
                var resumed =
                        all.stream().filter(each -> each[0].equals("resume")).toList();
                assertThat(resumed).allSatisfy(run -> assertThat(run[2]).isEqualTo(answers.get(run[1])));
                assertThat(answers).hasSize(KEYS);
            }
        }
    }
}
