package dev.refrain.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What can be an intent. */
class RequestTest {

    private static final URI PAYMENTS = URI.create("http://localhost/payments");
    private static final Request REQUEST = Request.postJson(PAYMENTS, "{}");

    @ParameterizedTest
    @ValueSource(strings = {"GET", "get", "HEAD", "OPTIONS", "TRACE"})
    void what_changes_nothing_gets_no_key(String method) {
        assertThatThrownBy(() -> new Request(method, PAYMENTS, List.of(), Body.none()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Authorization", "cookie", "Proxy-Authorization"})
    void credentials_are_not_kept_with_a_request(String name) {
        assertThatThrownBy(() -> REQUEST.with(name, "secret"))
                .hasMessageContaining("eachAttempt")
                .hasMessageNotContaining("secret");
    }

    @Test
    void what_could_not_be_sent_is_refused_before_it_is_kept() {
        assertThatThrownBy(() -> REQUEST.with("Content-Length", "3")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> REQUEST.with("X", "two\r\nlines")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Request.postJson(URI.create("file:///etc/passwd"), "{}"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void the_key_is_set_by_the_client_alone() {
        assertThatThrownBy(() -> REQUEST.with("IDEMPOTENCY-KEY", "mine")).hasMessageContaining("send(key, request)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "with blank", "käse", "line\nbreak"})
    void a_key_that_no_server_takes_is_refused_here(String key) {
        assertThatThrownBy(() -> intent(key)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_key_has_at_most_255_characters() {
        assertThat(intent("k".repeat(255)).key()).hasSize(255);
        assertThatThrownBy(() -> intent("k".repeat(256))).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"abc|\"abc\"", "a\"b|\"a\\\"b\"", "a\\b|\"a\\\\b\""})
    void the_header_is_a_string_of_rfc_9651(String key, String value) {
        assertThat(intent(key).headerValue()).isEqualTo(value);
    }

    @Test
    void bytes_handed_over_are_copied() {
        byte[] bytes = {1, 2, 3};
        var body = Body.of(bytes);
        bytes[0] = 9;

        assertThat(body).isEqualTo(Body.of(new byte[] {1, 2, 3}));
    }

    private static Intent intent(String key) {
        return new Intent(key, REQUEST, ManualTime.START, ManualTime.START.plusSeconds(1));
    }
}
