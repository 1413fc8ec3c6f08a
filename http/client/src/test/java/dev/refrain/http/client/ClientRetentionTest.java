package dev.refrain.http.client;

import static dev.refrain.http.client.ScriptedHttpServer.answer;
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

/** Requests are not resent after the retention, when the server may have forgotten the key. */
@Timeout(60)
class ClientRetentionTest {

    private final ManualClientClock time = new ManualClientClock();
    private final PendingRequestStore intents = PendingRequestStore.inMemory();

    private RefrainClientBuilder builder() {
        return RefrainClient.builder().pendingRequests(intents).clock(time).deadline(Duration.ofSeconds(10));
    }

    private static ResendableRequest payment(ScriptedHttpServer wire) {
        return ResendableRequest.postJson(wire.uri(), "{}");
    }

    @Test
    void pendingRequestIsNotResentAfterRetention() throws Exception {
        try (var wire = new ScriptedHttpServer(answer(503, ""))) {
            var client = builder().build();
            assertThatThrownBy(() -> client.send(payment(wire))).isInstanceOf(RetryDeadlineExceededException.class);
            var pending = client.pending().getFirst();
            int sent = wire.seen.size();

            time.advance(Duration.ofHours(24));
            var refused = catchThrowableOfType(RetentionExpiredException.class, () -> client.resend(pending));

            assertThat(refused.retryUntil()).isEqualTo(ManualClientClock.START.plus(Duration.ofHours(24)));
            assertThat(refused).hasMessageContaining("new request");
            assertThat(wire.seen).hasSize(sent);
            assertThat(client.pending()).containsExactly(pending);

            client.discard(pending);
            assertThat(client.pending()).isEmpty();
        }
    }

    @Test
    void noConnectionIsOpenedAfterRetention() {
        var resending = new ClientRetryLoop(
                ClientRetryRules.EXPLICIT_ONLY,
                ClientRetryBackoff.DEFAULT,
                Duration.ofSeconds(1),
                Duration.ofSeconds(10),
                time,
                new Random(1));
        var request = ResendableRequest.postJson(URI.create("http://localhost/"), "{}");
        var over = new PendingRequest("a", request, ManualClientClock.START.minusSeconds(60), ManualClientClock.START);
        var attempts = new AtomicInteger();

        assertThatThrownBy(() -> resending.send(over, (intent, atMost) -> {
                    attempts.incrementAndGet();
                    throw new IOException();
                }))
                .isInstanceOf(RetentionExpiredException.class);
        assertThat(attempts).hasValue(0);
    }

    @Test
    void pendingRequestIsResentJustBeforeRetentionEnds() throws Exception {
        try (var wire = new ScriptedHttpServer(answer(503, "", "Retry-After: 60"), answer(201, "paid"))) {
            var client = builder().build();
            assertThatThrownBy(() -> client.send(payment(wire))).isInstanceOf(RetryDeadlineExceededException.class);

            time.advance(Duration.ofHours(24).minusSeconds(20));
            assertThat(client.resend(client.pending().getFirst()).text()).isEqualTo("paid");
        }
    }

    @Test
    void callersOwnKeyKeepsItsOriginalRetention() throws Exception {
        try (var wire = new ScriptedHttpServer(answer(503, "", "Retry-After: 60"))) {
            var client = builder().build();
            assertThatThrownBy(() -> client.send("order-17", payment(wire)))
                    .isInstanceOf(RetryDeadlineExceededException.class);

            time.advance(Duration.ofHours(25));
            assertThatThrownBy(() -> client.send("order-17", payment(wire)))
                    .isInstanceOf(RetentionExpiredException.class);
            assertThat(wire.seen).hasSize(1);
        }
    }

    @Test
    void retryThatWouldOutlastRetentionIsNotStarted() throws Exception {
        try (var wire = new ScriptedHttpServer(answer(503, "", "Retry-After: 8"))) {
            var client = builder().retention(Duration.ofSeconds(5)).build();

            assertThatThrownBy(() -> client.send(payment(wire))).isInstanceOf(RetentionExpiredException.class);
            assertThat(wire.seen).hasSize(1);
            assertThat(time.pauses).isEmpty();
        }
    }

    @Test
    void attemptIsAbortedWhenRetentionEnds() throws Exception {
        try (var wire = new ScriptedHttpServer(ScriptedHttpServer.silence())) {
            var client = RefrainClient.builder()
                    .pendingRequests(intents)
                    .retention(Duration.ofMillis(300))
                    .build();

            assertThatThrownBy(() -> client.send(payment(wire))).isInstanceOf(RetentionExpiredException.class);
        }
    }

    @Test
    void differentRequestUnderPendingKeyIsNotSent() throws Exception {
        try (var wire = new ScriptedHttpServer(answer(503, "", "Retry-After: 60"))) {
            var client = builder().build();
            assertThatThrownBy(() -> client.send("order-17", payment(wire)))
                    .isInstanceOf(RetryDeadlineExceededException.class);

            assertThatThrownBy(() -> client.send("order-17", ResendableRequest.postJson(wire.uri(), "{\"cents\":2}")))
                    .isInstanceOf(KeyAlreadyUsedException.class);
            assertThat(wire.seen).hasSize(1);
            assertThat(client.pending()).hasSize(1);
        }
    }
}
