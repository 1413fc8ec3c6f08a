package dev.refrain.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses that are retried, and responses that are final. */
class ClientRetryRulesTest {

    private static final String PROBLEM = "application/problem+json";

    private static boolean again(
            ClientRetryRules rules, int status, String type, String body, Map<String, List<String>> more) {
        var headers = new HashMap<>(more);
        headers.put("Content-Type", List.of(type));
        var received = new ReceivedResponse(
                status, HttpHeaders.of(headers, (n, v) -> true), body.getBytes(StandardCharsets.UTF_8));
        return rules.classify(received, ManualClientClock.START) instanceof SendAttemptResult.RetryableResult;
    }

    private static boolean again(int status, String type, String body) {
        return again(ClientRetryRules.EXPLICIT_ONLY, status, type, body, Map.of());
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 425, 429, 502, 503, 504})
    void transientStatusIsRetriedUnlessMarkedNotRetryable(int status) {
        assertThat(again(status, "text/html", "<h1>Later</h1>")).isTrue();
        assertThat(again(status, PROBLEM, "{\"retryable\":true}")).isTrue();
        assertThat(again(status, PROBLEM, "{\"retryable\":false}")).isFalse();
        assertThat(again(status, PROBLEM, "{\"title\":\"?\"}")).isTrue();
        assertThat(again(status, PROBLEM, "{\"retryab")).isTrue();
    }

    @Test
    void conflictIsRetriedOnlyIfMarkedRetryable() {
        assertThat(again(409, PROBLEM + "; charset=utf-8", "{\"retryable\":true}"))
                .isTrue();
        assertThat(again(409, PROBLEM, "{\"retryable\":false}")).isFalse();
        assertThat(again(409, PROBLEM, "{\"retryable\":\"true\"}")).isFalse();
        assertThat(again(409, "application/json", "{\"retryable\":true}")).isFalse();
        assertThat(again(409, PROBLEM, "")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 202, 204, 302, 307, 400, 401, 403, 404, 410, 413, 418, 422, 451})
    void finalStatusIsNeverRetried(int status) {
        assertThat(again(status, PROBLEM, "{\"retryable\":true}")).isFalse();
        assertThat(again(ClientRetryRules.ALL_SERVER_ERRORS, status, "text/plain", "", Map.of()))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 501, 505, 507, 599})
    void serverErrorIsRetriedIfMarkedOrConfigured(int status) {
        assertThat(again(status, "text/plain", "oops")).isFalse();
        assertThat(again(status, PROBLEM, "{\"retryable\":true}")).isTrue();
        assertThat(again(ClientRetryRules.ALL_SERVER_ERRORS, status, "text/plain", "oops", Map.of()))
                .isTrue();
        assertThat(again(ClientRetryRules.ALL_SERVER_ERRORS, status, PROBLEM, "{\"retryable\":false}", Map.of()))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 503, 429})
    void replayedResponseIsFinal(int status) {
        var replayed = Map.of("idempotent-replayed", List.of("true"));

        assertThat(again(ClientRetryRules.ALL_SERVER_ERRORS, status, "text/plain", "", replayed))
                .isFalse();
        assertThat(again(
                        ClientRetryRules.ALL_SERVER_ERRORS,
                        status,
                        "text/plain",
                        "",
                        Map.of("Idempotent-Replayed", List.of("false"))))
                .isTrue();
    }
}
