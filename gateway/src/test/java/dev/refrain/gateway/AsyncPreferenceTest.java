package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.pay;
import static dev.refrain.gateway.GatewayUnderTest.route;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** A client that prefers a 202 does not wait for the outcome, also where other retries do. */
class AsyncPreferenceTest {

    private static final Duration WAIT = Duration.ofSeconds(60);

    @Test
    void preferredAsyncIsAnsweredAtOnceWhereRetriesWait() throws Exception {
        var entered = new CountDownLatch(1);
        var gate = new CountDownLatch(1);
        try (var upstream = new RawUpstream((request, socket) -> {
                    entered.countDown();
                    gate.await();
                    RawUpstream.answer(socket, 201, "made");
                });
                var gateway =
                        new GatewayUnderTest(upstream.address(), route("in-flight: wait " + WAIT.toSeconds() + "s"));
                var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                var first = clients.submit(() -> gateway.send(pay("slow")));
                entered.await();
                long begun = System.nanoTime();

                var accepted = gateway.send(pay("slow").line("Prefer: respond-async"));

                assertThat(accepted.status()).isEqualTo(202);
                assertThat(accepted.header("Preference-Applied")).hasValue("respond-async");
                assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(WAIT);
                gate.countDown();
                assertThat(first.get().status()).isEqualTo(201);
                assertThat(upstream.posts()).hasSize(1);
            } finally {
                gate.countDown();
            }
        }
    }
}
