package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.pay;
import static dev.refrain.gateway.GatewayUnderTest.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.Refrain;
import dev.refrain.http.Protection;
import dev.refrain.http.cases.RawAnswer;
import dev.refrain.key.Identity;
import dev.refrain.store.State;
import dev.refrain.store.jdbc.JdbcStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Gateways die by SIGKILL; what they had sent is never sent twice, and no key is stuck. */
class KilledGatewayTest {

    private static final String CHORES = "  chores: {sweep-every: 500ms, grace: 0s}\n";

    private static final int KILLS = Boolean.getBoolean("refrain.long") ? 20 : 1;

    @TempDir
    private Path folder;

    private Path config(String... lines) throws IOException {
        return Files.writeString(folder.resolve("gateway.yaml"), route(lines) + CHORES);
    }

    private String store() {
        return "jdbc:sqlite:" + folder.resolve("keys.db");
    }

    private State state(String key) {
        try (var store = JdbcStore.sqlite(folder.resolve("keys.db"));
                var refrain = Refrain.using(store)) {
            return refrain.operators()
                    .find(new Identity("", Protection.NAMESPACE, key))
                    .orElseThrow()
                    .state();
        }
    }

    @Test
    void whatAKilledGatewayHadSentNeedsAttention() throws Exception {
        String retried = UUID.randomUUID().toString();
        String forgotten = UUID.randomUUID().toString();
        var arrived = new CountDownLatch(2);
        try (var upstream = new RawUpstream((request, socket) -> {
            arrived.countDown();
            Thread.sleep(60_000);
        })) {
            var file = config("lease: 2s");
            try (var gateway = GatewayProcess.start(file, upstream.address(), store(), Map.of())) {
                for (String key : new String[] {retried, forgotten}) {
                    Thread.startVirtualThread(() -> {
                        try {
                            gateway.send(pay(key));
                        } catch (IOException killed) {
                            // As it should.
                        }
                    });
                }
                assertThat(arrived.await(20, TimeUnit.SECONDS)).isTrue();
                gateway.kill();
            }
            upstream.from(RawUpstream.answering(201, "a second effect"));
            try (var gateway = GatewayProcess.start(file, upstream.address(), store(), Map.of())) {
                var told = await().atMost(Duration.ofSeconds(20))
                        .until(
                                () -> gateway.send(pay(retried)),
                                answer -> !answer.body().contains("in-progress"));

                assertThat(told.status()).isEqualTo(409);
                assertThat(told.body()).contains("outcome-unknown");
                await().atMost(Duration.ofSeconds(20))
                        .untilAsserted(() -> assertThat(state(forgotten)).isEqualTo(State.ATTENTION));
            }
            assertThat(upstream.posts()).hasSize(2);
        }
    }

    /** Under the client's own key the service can count what reached it. */
    @Test
    void underLoadNoKeyReachesTheServiceTwiceAndNoneIsStuck() throws Exception {
        var effects = new ConcurrentHashMap<String, Integer>();
        var answers = new ConcurrentHashMap<String, RawAnswer>();
        var over = new AtomicBoolean();
        try (var upstream = new RawUpstream((request, socket) -> {
            effects.merge(request.header("Idempotency-Key").orElseThrow(), 1, Integer::sum);
            Thread.sleep(ThreadLocalRandom.current().nextInt(20));
            RawUpstream.answer(socket, 201, "made");
        })) {
            var file = config("lease: 2s", "forward-key: client");
            var running = new java.util.concurrent.atomic.AtomicReference<>(
                    GatewayProcess.start(file, upstream.address(), store(), Map.of()));
            var clients = new java.util.ArrayList<Thread>();
            for (int i = 0; i < 8; i++) {
                clients.add(Thread.startVirtualThread(() -> {
                    while (!over.get()) {
                        String key = UUID.randomUUID().toString();
                        RawAnswer answer = null;
                        while (answer == null || answer.body().contains("in-progress")) {
                            try {
                                answer = running.get().send(pay(key));
                            } catch (IOException | NumberFormatException away) {
                                // Killed before or in the middle: the same again.
                            }
                        }
                        answers.put(key, answer);
                    }
                }));
            }
            for (int kills = 0; kills < KILLS; kills++) {
                int before = answers.size();
                await().atMost(Duration.ofSeconds(30)).until(() -> answers.size() > before + 20);
                running.get().kill();
                running.set(GatewayProcess.start(file, upstream.address(), store(), Map.of()));
            }
            int before = answers.size();
            await().atMost(Duration.ofSeconds(30)).until(() -> answers.size() > before + 20);
            over.set(true);
            for (var client : clients) {
                assertThat(client.join(Duration.ofSeconds(30)))
                        .as("every client is answered")
                        .isTrue();
            }
            running.get().close();
        }
        assertThat(effects.values()).containsOnly(1);
        assertThat(answers).isNotEmpty().allSatisfy((key, answer) -> {
            assertThat(answer.status()).isIn(201, 409);
            assertThat(state(key)).isEqualTo(answer.status() == 201 ? State.COMPLETED : State.ATTENTION);
        });
    }
}
