package dev.refrain.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.http.edge.BufferBudget;
import java.time.Duration;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.Request;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** At a stop whoever waits for the service behind is interrupted: what was sent by then stays sent. */
class InterruptedUpstreamCallTest {

    private static final Duration AT_ONCE = Duration.ofMillis(200);

    private final HttpClient client = new HttpClient();
    private final SentByteTracker bytes = new SentByteTracker();

    @BeforeEach
    void start() throws Exception {
        client.addBean(bytes);
        client.start();
    }

    @AfterEach
    void stop() throws Exception {
        client.stop();
        assertThat(Thread.interrupted())
                .as("what follows can still ask the store")
                .isFalse();
    }

    private Request post(String address) {
        return client.newRequest(address).method("POST");
    }

    @Test
    void sentRequestIsUnansweredIfStoppedDuringTheWait() throws Exception {
        var waiting = Thread.currentThread();
        try (var upstream = new RawUpstream((request, socket) -> {
            waiting.interrupt();
            Thread.sleep(60_000);
        })) {
            var reached = UpstreamCall.of(
                            post(upstream.address()),
                            UpstreamConnectionQueueTest.free(),
                            bytes,
                            Duration.ofSeconds(10),
                            1000,
                            BufferBudget.ofHeap().open("peer"))
                    .send();

            assertThat(reached).isInstanceOf(UpstreamResult.Unanswered.class);
            assertThat(upstream.posts()).hasSize(1);
        }
    }

    @Test
    void sentRequestIsUnansweredIfStoppedWhileItIsCancelled() throws Exception {
        var waiting = Thread.currentThread();
        try (var upstream = new RawUpstream((request, socket) -> Thread.sleep(60_000))) {
            var request = post(upstream.address()).onResponseFailure((sent, late) -> waiting.interrupt());

            var reached = UpstreamCall.of(
                            request,
                            UpstreamConnectionQueueTest.free(),
                            bytes,
                            AT_ONCE,
                            1000,
                            BufferBudget.ofHeap().open("peer"))
                    .send();

            // The interrupt may find it ended already.
            Thread.interrupted();
            assertThat(reached).isInstanceOf(UpstreamResult.Unanswered.class);
            // On a slow machine the connection may be reset before the service has read it.
            assertThat(upstream.posts()).hasSizeLessThanOrEqualTo(1);
        }
    }

    @Test
    void requestNotSentBeforeTheStopIsNotSent() throws Exception {
        Thread.currentThread().interrupt();

        // There is no such machine: addresses of this network are for documents.
        var reached = UpstreamCall.of(
                        post("http://192.0.2.1"),
                        UpstreamConnectionQueueTest.free(),
                        bytes,
                        Duration.ofSeconds(10),
                        1000,
                        BufferBudget.ofHeap().open("peer"))
                .send();

        assertThat(reached).isInstanceOf(UpstreamResult.NotSent.class);
    }
}
