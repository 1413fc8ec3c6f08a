package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.pay;
import static dev.refrain.gateway.GatewayUnderTest.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.Refrain;
import dev.refrain.api.ScopedKey;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.store.RecordExplanation;
import dev.refrain.store.RecordState;
import dev.refrain.store.jdbc.JdbcStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway dies by SIGKILL while the service behind works: what it had sent is never sent twice. */
class KilledGatewayTest {

    private static final String CHORES = "  maintenance: {sweep-interval: 500ms, sweep-grace-period: 0s}\n";

    @TempDir
    private Path folder;

    private Path config(String... lines) throws IOException {
        return Files.writeString(folder.resolve("gateway.yaml"), GatewayUnderTest.scoped(route(lines) + CHORES));
    }

    private String store() {
        return "jdbc:sqlite:" + folder.resolve("keys.db");
    }

    private RecordState state(String key) {
        try (var store = JdbcStore.sqlite(folder.resolve("keys.db"));
                var refrain = Refrain.using(store)) {
            return refrain.admin()
                    .find(new ScopedKey("", RouteProtection.NAMESPACE, key))
                    .orElseThrow()
                    .state();
        }
    }

    @Test
    void requestSentByAKilledGatewayNeedsAttention() throws Exception {
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
                assertThat(arrived.await(1, TimeUnit.MINUTES)).isTrue();
                gateway.kill();
            }
            upstream.from(RawUpstream.answering(201, "a second effect"));
            try (var gateway = GatewayProcess.start(file, upstream.address(), store(), Map.of())) {
                var told = await().until(
                                () -> gateway.send(pay(retried)),
                                answer -> !answer.body().contains("in-progress"));

                assertThat(told.status()).isEqualTo(409);
                assertThat(told.body()).contains("outcome-unknown");
                await().untilAsserted(() -> assertThat(state(forgotten)).isEqualTo(RecordState.ATTENTION));
            }
            assertThat(upstream.posts()).hasSize(2);
            var explained = explained(forgotten);
            assertThat(explained.operation()).contains("POST /pay");
            assertThat(explained.calls())
                    .singleElement()
                    .satisfies(call -> assertThat(upstream.posts().toString())
                            .as("what a person asks the service for is what was sent")
                            .contains(call.derivedKey()));
        }
    }

    private RecordExplanation explained(String key) {
        try (var store = JdbcStore.sqlite(folder.resolve("keys.db"))) {
            return store.explain(new ScopedKey("", RouteProtection.NAMESPACE, key))
                    .orElseThrow();
        }
    }
}
