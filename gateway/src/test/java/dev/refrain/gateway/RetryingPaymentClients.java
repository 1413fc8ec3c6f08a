package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.pay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.http.cases.RawHttpResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;

/**
 * Clients that send one payment after another, and each of them again under its key until it is settled: it was made, or nobody can know.
 * Whatever else they are told, or that nobody is there, means that they come again.
 */
final class RetryingPaymentClients {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration BETWEEN = Duration.ofMillis(20);

    private final Map<String, RawHttpResponse> settled = new ConcurrentHashMap<>();
    private final List<Thread> clients = new ArrayList<>();
    private volatile boolean over;

    /** @param port where a client goes, asked for each attempt */
    RetryingPaymentClients(int many, IntSupplier port) {
        for (int i = 0; i < many; i++) {
            clients.add(Thread.startVirtualThread(() -> {
                while (!over) {
                    String key = UUID.randomUUID().toString();
                    settled.put(key, settle(key, port));
                }
            }));
        }
    }

    private static RawHttpResponse settle(String key, IntSupplier port) {
        while (true) {
            try (var wire = new RawHttpConnection(port.getAsInt())) {
                wire.send(pay(key));
                var answer = wire.receive();
                if (isMade(answer) || answer.body().contains("outcome-unknown")) {
                    return answer;
                }
                Thread.sleep(BETWEEN);
            } catch (IOException | NumberFormatException away) {
                // Killed before or in the middle: the same again.
            } catch (InterruptedException never) {
                throw new IllegalStateException(never);
            }
        }
    }

    static boolean isMade(RawHttpResponse answer) {
        return answer.status() == 200 || answer.status() == 201;
    }

    void awaitMore(int payments) {
        int before = settled.size();
        await().atMost(PATIENCE).until(() -> settled.size() >= before + payments);
    }

    /** No more begin; those under way are settled, since no key is stuck. */
    Map<String, RawHttpResponse> finish() throws InterruptedException {
        over = true;
        for (var client : clients) {
            assertThat(client.join(PATIENCE)).as("every client is answered").isTrue();
        }
        return settled;
    }
}
