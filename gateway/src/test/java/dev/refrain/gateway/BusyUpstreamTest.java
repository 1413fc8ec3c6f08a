package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.pay;
import static dev.refrain.gateway.GatewayUnderTest.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.api.ScopedKey;
import dev.refrain.http.cases.CapturedWarningLines;
import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.http.cases.RawHttpResponse;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.store.RecordState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A service with one connection that is slower than its callers. */
class BusyUpstreamTest {

    private static final int FLOOD = 10;

    private final Semaphore answers = new Semaphore(0);
    private final List<String> served = new CopyOnWriteArrayList<>();
    private final RawUpstream upstream;
    private GatewayUnderTest gateway;

    BusyUpstreamTest() throws Exception {
        upstream = new RawUpstream((request, socket) -> {
            served.add(request.header("X-User").orElse("nobody"));
            answers.acquire();
            RawUpstream.answer(socket, 201, "paid");
        });
    }

    private void start(int queued) throws Exception {
        gateway = new GatewayUnderTest(
                upstream.address(),
                "gateway:\n  connections: 1\n  queued: " + queued
                        + "\n  scope: {trusted-header: {header: X-User, from: [127.0.0.1/32]}}\n"
                        + route("upstream-timeout: 5m"));
    }

    @AfterEach
    void stop() throws Exception {
        answers.release(1_000);
        gateway.close();
        upstream.close();
    }

    private FutureTask<RawHttpResponse> start(RawHttpRequest request) {
        var task = new FutureTask<>(() -> gateway.send(request));
        Thread.startVirtualThread(task);
        return task;
    }

    private static RawHttpRequest payAs(String user, String key) {
        return pay(key).as(user);
    }

    private FutureTask<RawHttpResponse> started(String user, String key) {
        var task = start(payAs(user, key));
        await().atMost(Duration.ofMinutes(1)).until(() -> state(user, key).isPresent());
        return task;
    }

    private Optional<RecordState> state(String user, String key) {
        return gateway.refrain()
                .admin()
                .find(new ScopedKey(user, RouteProtection.NAMESPACE, key))
                .map(record -> record.state());
    }

    @Test
    void callerOvertakesTheFloodOfAnother() throws Exception {
        start(1_000);
        var all = new ArrayList<FutureTask<RawHttpResponse>>();
        for (int i = 0; i < FLOOD; i++) {
            all.add(started("flood", "key-" + i));
        }
        all.add(started("other", "key"));

        answers.release(1_000);
        for (var each : all) {
            assertThat(each.get(1, TimeUnit.MINUTES).status()).isEqualTo(201);
        }

        // One of the flood is being served, and some of it may be next in turn; without turns it would be the last.
        assertThat(served.indexOf("other")).isLessThan(FLOOD - 2);
    }

    /** One is served, one may wait, and all others are refused. */
    @Test
    void requestThatWouldWaitInVainIsRefusedAndItsKeyReleased() throws Exception {
        start(1);
        var all = new LinkedHashMap<String, FutureTask<RawHttpResponse>>();
        try (var together = new CapturedWarningLines(UpstreamConnectionQueue.class.getName());
                var log = new CapturedWarningLines(ForwardingLog.class.getName())) {
            for (String key : List.of("key-1", "key-2", "key-3", "key-4", "key-5")) {
                all.put(key, start(payAs("flood", key)));
            }
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> all.values().stream().filter(Future::isDone).count() == 3);
            var passing = gateway.send(RawHttpRequest.post("/balance").by("GET"));
            assertThat(passing.status()).isEqualTo(503);
            assertThat(passing.body()).contains("upstream-busy");

            // A line for all of them, beside those of other tests.
            assertThat(together.lines()).hasSizeBetween(1, 3).anyMatch(line -> line.startsWith("1 requests"));
            assertThat(log.shown()).noneMatch(line -> line.contains("key key-"));
        }
        var refused = all.keySet().stream().filter(key -> all.get(key).isDone()).toList();
        for (String key : refused) {
            var answer = all.get(key).get();
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.body()).contains("upstream-busy", "\"retryable\":true");
            assertThat(answer.header("Retry-After")).isPresent();
            assertThat(state("flood", key)).contains(RecordState.RELEASED);
        }

        answers.release(1_000);
        for (String key : all.keySet()) {
            var answer = all.get(key).get(1, TimeUnit.MINUTES);
            assertThat(refused.contains(key) ? gateway.send(payAs("flood", key)).status() : answer.status())
                    .isEqualTo(201);
        }
        assertThat(upstream.posts()).hasSize(5);
    }
}
