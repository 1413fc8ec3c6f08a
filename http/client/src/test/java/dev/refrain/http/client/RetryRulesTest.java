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

/** What may be sent again, and what must not. */
class RetryRulesTest {

    private static final String PROBLEM = "application/problem+json";

    private static boolean again(
            RetryRules rules, int status, String type, String body, Map<String, List<String>> more) {
        var headers = new HashMap<>(more);
        headers.put("Content-Type", List.of(type));
        var received =
                new Received(status, HttpHeaders.of(headers, (n, v) -> true), body.getBytes(StandardCharsets.UTF_8));
        return rules.judge(received, ManualTime.START) instanceof Tried.Refused;
    }

    private static boolean again(int status, String type, String body) {
        return again(RetryRules.AS_TOLD, status, type, body, Map.of());
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 425, 429, 502, 503, 504})
    void these_pass_by_themselves_unless_the_server_says_that_they_do_not(int status) {
        assertThat(again(status, "text/html", "<h1>Later</h1>")).isTrue();
        assertThat(again(status, PROBLEM, "{\"retryable\":true}")).isTrue();
        assertThat(again(status, PROBLEM, "{\"retryable\":false}")).isFalse();
        assertThat(again(status, PROBLEM, "{\"title\":\"?\"}")).isTrue();
        assertThat(again(status, PROBLEM, "{\"retryab")).isTrue();
    }

    @Test
    void a_conflict_is_tried_again_only_if_the_server_says_that_it_passes() {
        assertThat(again(409, PROBLEM + "; charset=utf-8", "{\"retryable\":true}"))
                .isTrue();
        assertThat(again(409, PROBLEM, "{\"retryable\":false}")).isFalse();
        assertThat(again(409, PROBLEM, "{\"retryable\":\"true\"}")).isFalse();
        assertThat(again(409, "application/json", "{\"retryable\":true}")).isFalse();
        assertThat(again(409, PROBLEM, "")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 202, 204, 302, 307, 400, 401, 403, 404, 410, 413, 418, 422, 451})
    void these_are_answers_whatever_they_say(int status) {
        assertThat(again(status, PROBLEM, "{\"retryable\":true}")).isFalse();
        assertThat(again(RetryRules.SERVER_ERRORS_TOO, status, "text/plain", "", Map.of()))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 501, 505, 507, 599})
    void an_error_of_the_server_is_tried_again_if_it_says_so_or_the_caller_does(int status) {
        assertThat(again(status, "text/plain", "oops")).isFalse();
        assertThat(again(status, PROBLEM, "{\"retryable\":true}")).isTrue();
        assertThat(again(RetryRules.SERVER_ERRORS_TOO, status, "text/plain", "oops", Map.of()))
                .isTrue();
        assertThat(again(RetryRules.SERVER_ERRORS_TOO, status, PROBLEM, "{\"retryable\":false}", Map.of()))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 503, 429})
    void a_replayed_answer_never_changes_so_it_is_the_answer(int status) {
        var replayed = Map.of("idempotent-replayed", List.of("true"));

        assertThat(again(RetryRules.SERVER_ERRORS_TOO, status, "text/plain", "", replayed))
                .isFalse();
        assertThat(again(
                        RetryRules.SERVER_ERRORS_TOO,
                        status,
                        "text/plain",
                        "",
                        Map.of("Idempotent-Replayed", List.of("false"))))
                .isTrue();
    }
}
