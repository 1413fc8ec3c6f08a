package dev.refrain.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Validation of requests and keys. */
class ResendableRequestTest {

    private static final URI PAYMENTS = URI.create("http://localhost/payments");
    private static final ResendableRequest REQUEST = ResendableRequest.postJson(PAYMENTS, "{}");

    @ParameterizedTest
    @ValueSource(strings = {"GET", "get", "HEAD", "OPTIONS", "TRACE"})
    void safeMethodIsRejected(String method) {
        assertThatThrownBy(() -> new ResendableRequest(method, PAYMENTS, List.of(), ResendableBody.none()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Authorization", "cookie", "Proxy-Authorization"})
    void credentialsAreRejected(String name) {
        assertThatThrownBy(() -> REQUEST.with(name, "secret"))
                .hasMessageContaining("eachAttempt")
                .hasMessageNotContaining("secret");
    }

    @Test
    void unsendableRequestIsRejectedAtCreation() {
        assertThatThrownBy(() -> REQUEST.with("Content-Length", "3")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> REQUEST.with("X", "two\r\nlines")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ResendableRequest.postJson(URI.create("file:///etc/passwd"), "{}"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void keyHeaderIsRejected() {
        assertThatThrownBy(() -> REQUEST.with("IDEMPOTENCY-KEY", "mine")).hasMessageContaining("send(key, request)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "with blank", "käse", "line\nbreak"})
    void invalidKeyIsRejected(String key) {
        assertThatThrownBy(() -> intent(key)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void keyHasAtMost255Characters() {
        assertThat(intent("k".repeat(255)).key()).hasSize(255);
        assertThatThrownBy(() -> intent("k".repeat(256))).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"abc|\"abc\"", "a\"b|\"a\\\"b\"", "a\\b|\"a\\\\b\""})
    void headerValueIsAnRfc9651String(String key, String value) {
        assertThat(intent(key).headerValue()).isEqualTo(value);
    }

    @Test
    void bodyBytesAreCopied() {
        byte[] bytes = {1, 2, 3};
        var body = ResendableBody.of(bytes);
        bytes[0] = 9;

        assertThat(body).isEqualTo(ResendableBody.of(new byte[] {1, 2, 3}));
    }

    private static PendingRequest intent(String key) {
        return new PendingRequest(key, REQUEST, ManualClientClock.START, ManualClientClock.START.plusSeconds(1));
    }
}
