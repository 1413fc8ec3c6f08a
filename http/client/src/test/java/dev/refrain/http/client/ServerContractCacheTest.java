package dev.refrain.http.client;

import static dev.refrain.http.client.ScriptedHttpServer.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Retention as read from the contract of the server. */
@Timeout(30)
class ServerContractCacheTest {

    private static final String CONTRACT = """
            {"routes": [
              {"methods": ["POST"], "path": "/brief/{id}", "retention": "PT1H"},
              {"methods": ["POST"], "path": "/brief/{id}/**", "retention": "PT2H"},
              {"methods": ["POST"], "path": "/observed", "key": {"required": "observe"}, "retention": "PT24H"},
              {"methods": ["POST"], "path": "/optional", "key": {"required": "optional"}, "retention": "PT4H"},
              {"methods": ["PUT"], "path": "/a.b", "retention": "PT3H"},
              {"methods": ["POST", "PUT"], "path": "/ledger/*", "retention": "for ever"}]}
            """;

    private final ManualClientClock time = new ManualClientClock();

    private RefrainClientBuilder builder(ScriptedHttpServer wire) {
        return RefrainClient.builder()
                .clock(time)
                .contractUri(wire.uri().resolve("/refrain/contract.json"))
                .retention(Duration.ofHours(9))
                .deadline(Duration.ofSeconds(10));
    }

    private static ScriptedHttpServer serverSaying(String contract) throws IOException {
        return new ScriptedHttpServer(answer(200, contract), answer(503, "", "Retry-After: 60"));
    }

    private static PendingRequest leftPending(RefrainClient client, ResendableRequest request) throws IOException {
        assertThatThrownBy(() -> client.send(request)).isInstanceOf(RetryDeadlineExceededException.class);
        return client.pending().getLast();
    }

    @ParameterizedTest
    @CsvSource({
        "POST,/brief/7,1",
        "POST,/brief/7/x/y,2",
        "PUT,/a.b,3",
        "POST,/optional,4",
        "PUT,/aXb,9",
        "POST,/a.b,9",
        "POST,/brief,9",
        "PUT,/ledger/7,876000"
    })
    void eachRouteHasItsOwnRetention(String method, String path, long hours) throws Exception {
        try (var wire = serverSaying(CONTRACT)) {
            var request = new ResendableRequest(
                    method, wire.uri().resolve(path), java.util.List.of(), ResendableBody.of("{}"));

            var pending = leftPending(builder(wire).build(), request);

            assertThat(pending.retryUntil()).isEqualTo(ManualClientClock.START.plus(Duration.ofHours(hours)));
        }
    }

    @Test
    void expiredRequestIsNotResentAfterRestart(@TempDir Path folder) throws Exception {
        try (var wire = serverSaying(CONTRACT)) {
            var request = ResendableRequest.postJson(wire.uri().resolve("/brief/7"), "{}");
            leftPending(
                    builder(wire)
                            .pendingRequests(PendingRequestStore.inFolder(folder))
                            .build(),
                    request);
            int sent = wire.seen.size();

            time.advance(Duration.ofHours(1));
            var restarted = builder(wire)
                    .pendingRequests(PendingRequestStore.inFolder(folder))
                    .build();
            var refused = catchThrowableOfType(
                    RetentionExpiredException.class,
                    () -> restarted.resend(restarted.pending().getFirst()));

            assertThat(refused).hasMessageContaining("2026-03-01T13:00:00Z").hasMessageContaining("new request");
            assertThat(wire.seen).hasSize(sent);
        }
    }

    @Test
    void contractIsReadOnceAndAgainAfterAnHour() throws Exception {
        try (var wire = new ScriptedHttpServer(
                answer(200, CONTRACT),
                answer(201, "one"),
                answer(201, "two"),
                answer(200, CONTRACT.replace("PT1H", "PT5H")),
                answer(503, "", "Retry-After: 60"))) {
            var client = builder(wire).build();
            var request = ResendableRequest.postJson(wire.uri().resolve("/brief/7"), "{}");
            assertThat(client.send(request).text()).isEqualTo("one");
            assertThat(client.send(request).text()).isEqualTo("two");

            time.advance(Duration.ofHours(1));

            assertThat(leftPending(client, request).retryUntil())
                    .isEqualTo(time.now().plus(Duration.ofHours(5)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<html>", "{}", "{\"routes\":[{\"path\":\"/brief/7\",\"retention\":\"soon\"}]}"})
    void configuredRetentionAppliesWhileContractIsUnreadable(String nonsense) throws Exception {
        try (var wire = serverSaying(nonsense)) {
            var pending = leftPending(
                    builder(wire).build(), ResendableRequest.postJson(wire.uri().resolve("/brief/7"), "{}"));

            assertThat(pending.retryUntil()).isEqualTo(ManualClientClock.START.plus(Duration.ofHours(9)));
        }
    }

    /** The contract may be unavailable during an outage, when retries matter most. */
    @Test
    void lastContractAppliesWhileItCannotBeReadAgain() throws Exception {
        try (var wire = new ScriptedHttpServer(
                answer(200, CONTRACT), answer(201, "one"), answer(503, ""), ScriptedHttpServer.silence())) {
            var client = builder(wire).attemptTimeout(Duration.ofMillis(300)).build();
            var request = ResendableRequest.postJson(wire.uri().resolve("/observed"), "{}");
            assertThat(client.send(request).text()).isEqualTo("one");

            time.advance(Duration.ofHours(1));

            assertThatThrownBy(() -> client.send(request)).isInstanceOf(RetentionExpiredException.class);
            assertThat(wire.seen)
                    .as("the contract twice, and each request once")
                    .hasSize(4);
        }
    }

    @Test
    void contractOfAnotherServerIsIgnored() throws Exception {
        try (var wire = serverSaying(CONTRACT);
                var other = new ScriptedHttpServer(answer(503, "", "Retry-After: 60"))) {
            var pending = leftPending(
                    builder(wire).build(),
                    ResendableRequest.postJson(other.uri().resolve("/brief/7"), "{}"));

            assertThat(pending.retryUntil()).isEqualTo(ManualClientClock.START.plus(Duration.ofHours(9)));
            assertThat(wire.seen).isEmpty();
        }
    }

    @Test
    void contractOfRefrainIsUnderstood() throws Exception {
        try (var shop = new FormTestServer()) {
            shop.loseResponses(Integer.MAX_VALUE);
            var client = RefrainClient.builder()
                    .clock(time)
                    .deadline(Duration.ofSeconds(30))
                    .contractUri(shop.page("/refrain/contract.json"))
                    .build();
            var order = ResendableRequest.post(
                            shop.page("/orders"), ResendableBody.of("idempotency_key=order-17&item=tea"))
                    .with("Content-Type", "application/x-www-form-urlencoded");

            assertThatThrownBy(() -> client.send("order-17", order)).isInstanceOf(RetryDeadlineExceededException.class);

            assertThat(client.pending().getFirst().retryUntil())
                    .isEqualTo(ManualClientClock.START.plus(Duration.ofDays(7)));
            assertThat(shop.orders).hasSize(1);
        }
    }

    /** An observed route runs every request. */
    @Test
    void observedRouteIsNeverSentTwice(@TempDir Path folder) throws Exception {
        try (var wire = new ScriptedHttpServer(answer(200, CONTRACT), ScriptedHttpServer.silence())) {
            var client = builder(wire)
                    .pendingRequests(PendingRequestStore.inFolder(folder))
                    .attemptTimeout(Duration.ofSeconds(4))
                    .build();
            var request = ResendableRequest.postJson(wire.uri().resolve("/observed"), "{}");

            assertThatThrownBy(() -> client.send("order-17", request))
                    .isInstanceOf(RetentionExpiredException.class)
                    .hasMessageContaining("no response (HttpTimeoutException: ")
                    .hasMessageContaining("; first sent at 2026-03-01T12:00:00Z; the server only observes")
                    .hasCauseInstanceOf(HttpTimeoutException.class);
            var restarted = builder(wire)
                    .pendingRequests(PendingRequestStore.inFolder(folder))
                    .build();
            var pending = restarted.pending().getFirst();
            assertThatThrownBy(() -> restarted.resend(pending)).isInstanceOf(RetentionExpiredException.class);
            assertThatThrownBy(() -> client.send("order-17", request)).isInstanceOf(RetentionExpiredException.class);

            assertThat(wire.seen).as("the contract, and one attempt").hasSize(2);
            restarted.discard(pending);
            assertThat(restarted.pending()).isEmpty();
        }
    }

    @Test
    void everyResponseOfAnObservedRouteIsFinal() throws Exception {
        try (var wire = serverSaying(CONTRACT)) {
            var client = builder(wire).build();

            var answer = client.send(ResendableRequest.postJson(wire.uri().resolve("/observed"), "{}"));

            assertThat(answer.status()).isEqualTo(503);
            assertThat(client.pending()).isEmpty();
            assertThat(wire.seen).hasSize(2);
        }
    }

    @Test
    void routeObservedByRefrainIsSentOnce() throws Exception {
        try (var shop = new FormTestServer()) {
            shop.loseResponses(Integer.MAX_VALUE);
            var client = RefrainClient.builder()
                    .clock(time)
                    .contractUri(shop.page("/refrain/contract.json"))
                    .build();
            var order = ResendableRequest.post(
                            shop.page("/observed"), ResendableBody.of("idempotency_key=order-17&item=tea"))
                    .with("Content-Type", "application/x-www-form-urlencoded");

            assertThatThrownBy(() -> client.send(order)).isInstanceOf(RetentionExpiredException.class);

            assertThat(shop.orders).containsExactly("tea");
            assertThat(shop.asked).hasValue(1);
        }
    }

    @Test
    void contractUriNeedsSchemeAndHost() {
        assertThatThrownBy(() -> RefrainClient.builder().contractUri(URI.create("/refrain/contract.json")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("scheme and host");
    }
}
