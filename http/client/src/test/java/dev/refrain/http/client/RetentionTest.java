package dev.refrain.http.client;

import static dev.refrain.http.client.Wire.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** After its retention a key means nothing to the server any more, and the same request would be a new one. */
@Timeout(60)
class RetentionTest {

    private final ManualTime time = new ManualTime();
    private final Intents intents = Intents.inMemory();

    private RefrainClientBuilder builder() {
        return RefrainClient.builder().pendingRequests(intents).clock(time).deadline(Duration.ofSeconds(10));
    }

    private static Request payment(Wire wire) {
        return Request.postJson(wire.uri(), "{}");
    }

    @Test
    void a_day_later_a_pending_intent_is_not_sent_again() throws Exception {
        try (var wire = new Wire(answer(503, ""))) {
            var client = builder().build();
            assertThatThrownBy(() -> client.send(payment(wire))).isInstanceOf(UnansweredException.class);
            var pending = client.pending().getFirst();
            int sent = wire.seen.size();

            time.advance(Duration.ofHours(24));
            var refused = catchThrowableOfType(RetentionOverException.class, () -> client.resend(pending));

            assertThat(refused.retryUntil()).isEqualTo(ManualTime.START.plus(Duration.ofHours(24)));
            assertThat(refused).hasMessageContaining("new request");
            assertThat(wire.seen).hasSize(sent);
            assertThat(client.pending()).containsExactly(pending);

            client.discard(pending);
            assertThat(client.pending()).isEmpty();
        }
    }

    @Test
    void past_its_retention_not_even_a_connection_is_tried() {
        var resending = new Resending(
                RetryRules.AS_TOLD,
                Backoff.DEFAULT,
                Duration.ofSeconds(1),
                Duration.ofSeconds(10),
                time,
                new Random(1));
        var request = Request.postJson(URI.create("http://localhost/"), "{}");
        var over = new Intent("a", request, ManualTime.START.minusSeconds(60), ManualTime.START);
        var attempts = new AtomicInteger();

        assertThatThrownBy(() -> resending.send(over, (intent, atMost) -> {
                    attempts.incrementAndGet();
                    throw new IOException();
                }))
                .isInstanceOf(RetentionOverException.class);
        assertThat(attempts).hasValue(0);
    }

    @Test
    void a_moment_before_it_is_sent() throws Exception {
        try (var wire = new Wire(answer(503, "", "Retry-After: 60"), answer(201, "paid"))) {
            var client = builder().build();
            assertThatThrownBy(() -> client.send(payment(wire))).isInstanceOf(UnansweredException.class);

            time.advance(Duration.ofHours(24).minusSeconds(20));
            assertThat(client.resend(client.pending().getFirst()).text()).isEqualTo("paid");
        }
    }

    @Test
    void a_key_of_the_callers_own_does_not_begin_anew() throws Exception {
        try (var wire = new Wire(answer(503, "", "Retry-After: 60"))) {
            var client = builder().build();
            assertThatThrownBy(() -> client.send("order-17", payment(wire))).isInstanceOf(UnansweredException.class);

            time.advance(Duration.ofHours(25));
            assertThatThrownBy(() -> client.send("order-17", payment(wire))).isInstanceOf(RetentionOverException.class);
            assertThat(wire.seen).hasSize(1);
        }
    }

    @Test
    void no_retry_is_begun_that_would_come_too_late() throws Exception {
        try (var wire = new Wire(answer(503, "", "Retry-After: 8"))) {
            var client = builder().retention(Duration.ofSeconds(5)).build();

            assertThatThrownBy(() -> client.send(payment(wire))).isInstanceOf(RetentionOverException.class);
            assertThat(wire.seen).hasSize(1);
            assertThat(time.pauses).isEmpty();
        }
    }

    @Test
    void an_attempt_is_given_up_when_the_key_runs_out() throws Exception {
        try (var wire = new Wire(Wire.silence())) {
            var client = RefrainClient.builder()
                    .pendingRequests(intents)
                    .retention(Duration.ofMillis(300))
                    .build();

            assertThatThrownBy(() -> client.send(payment(wire))).isInstanceOf(RetentionOverException.class);
        }
    }

    @Test
    void another_request_under_a_pending_key_is_not_sent() throws Exception {
        try (var wire = new Wire(answer(503, "", "Retry-After: 60"))) {
            var client = builder().build();
            assertThatThrownBy(() -> client.send("order-17", payment(wire))).isInstanceOf(UnansweredException.class);

            assertThatThrownBy(() -> client.send("order-17", Request.postJson(wire.uri(), "{\"cents\":2}")))
                    .isInstanceOf(OtherRequestException.class);
            assertThat(wire.seen).hasSize(1);
            assertThat(client.pending()).hasSize(1);
        }
    }
}
