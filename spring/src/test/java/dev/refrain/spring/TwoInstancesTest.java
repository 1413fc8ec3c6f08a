package dev.refrain.spring;

import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.http.cases.RawHttpResponse;
import dev.refrain.servers.PostgresServer;
import java.io.IOException;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Two processes on one PostgreSQL, and everything is killed once: nothing runs twice, nothing is lost, nothing is stuck. */
class TwoInstancesTest {

    private static final int CLIENTS = 8;
    private static final int SOME = 50;

    /** Also where a machine has much else to do. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static RawHttpResponse send(int port, RawHttpRequest request) throws IOException {
        try (var wire = new RawHttpConnection(port)) {
            wire.send(request);
            return wire.receive();
        }
    }

    private static long payments(String url) throws Exception {
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT count(*) FROM payment")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** A client that does not give up: the same key, to whichever instance, until it is answered. */
    private static RawHttpResponse insist(List<ApplicationProcess> instances, RawHttpRequest request)
            throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                var instance = instances.get(ThreadLocalRandom.current().nextInt(instances.size()));
                var answer = send(instance.port(), request);
                if (answer.status() == 201) {
                    return answer;
                }
                assertThat(answer.status()).isIn(409, 500, 503);
            } catch (IOException gone) {
                // Whether it took effect is unknown: that is what the key is for.
            }
            assertThat(System.nanoTime()).as("a key is stuck: %s", request).isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(5, 50));
        }
    }

    @Test
    void everyKeyIsPaidOnceWhateverIsKilled() throws Exception {
        try (var server = PostgresServer.start();
                var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            String url = server.freshDatabase();
            var instances = new CopyOnWriteArrayList<ApplicationProcess>();
            instances.add(ApplicationProcess.start(url));
            instances.add(ApplicationProcess.start(url));
            try {
                oneOfAHundredTwinsPays(instances, clients);
                assertThat(payments(url)).isEqualTo(1);

                Map<RawHttpRequest, String> paid = new ConcurrentHashMap<>();
                var over = new AtomicBoolean();
                var working = new ArrayList<Future<?>>();
                for (int i = 0; i < CLIENTS; i++) {
                    working.add(clients.submit(() -> {
                        while (!over.get()) {
                            var request = payment();
                            paid.put(request, insist(instances, request).body());
                        }
                        return null;
                    }));
                }
                awaitMore(paid, SOME);
                var killed = instances.remove(0);
                killed.kill();
                instances.add(ApplicationProcess.start(url));
                awaitMore(paid, SOME);
                server.killHard();
                server.restart();
                awaitMore(paid, SOME);
                over.set(true);
                for (var client : working) {
                    client.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                }

                assertThat(payments(url)).isEqualTo(paid.size() + 1L);
                for (var entry : paid.entrySet().stream().limit(100).toList()) {
                    assertThat(insist(instances, entry.getKey()).body()).isEqualTo(entry.getValue());
                }
            } finally {
                for (var instance : instances) {
                    instance.close();
                }
            }
        }
    }

    /** Work goes on, whatever was done to it before. */
    private static void awaitMore(Map<RawHttpRequest, String> paid, int more) {
        int wanted = paid.size() + more;
        await().atMost(PATIENCE).until(() -> paid.size() >= wanted);
    }

    private static RawHttpRequest payment() {
        return post("/payments").key(UUID.randomUUID().toString()).json("{\"amount\":12}");
    }

    private static void oneOfAHundredTwinsPays(
            List<ApplicationProcess> instances, java.util.concurrent.ExecutorService clients) throws Exception {
        var request = payment();
        var twins = new ArrayList<Future<RawHttpResponse>>();
        for (int i = 0; i < 100; i++) {
            twins.add(clients.submit(() -> insist(instances, request)));
        }
        var bodies = new java.util.HashSet<String>();
        for (var twin : twins) {
            bodies.add(twin.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).body());
        }
        assertThat(bodies).hasSize(1);
    }
}
