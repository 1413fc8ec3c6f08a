package dev.refrain.gateway;

import static org.assertj.core.api.Assertions.assertThat;

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

    @BeforeEach
    void start() throws Exception {
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
    void whatWasSentIsUnansweredIfTheStopComesWhileItIsWaitedFor() throws Exception {
        var waiting = Thread.currentThread();
        try (var upstream = new RawUpstream((request, socket) -> {
            waiting.interrupt();
            Thread.sleep(60_000);
        })) {
            var reached = UpstreamCall.send(post(upstream.address()), Duration.ofSeconds(10), 1000);

            assertThat(reached).isInstanceOf(UpstreamResult.Unanswered.class);
            assertThat(upstream.posts()).hasSize(1);
        }
    }

    @Test
    void whatWasSentIsUnansweredIfTheStopComesWhileItIsGivenUp() throws Exception {
        var waiting = Thread.currentThread();
        try (var upstream = new RawUpstream((request, socket) -> Thread.sleep(60_000))) {
            var request = post(upstream.address()).onResponseFailure((sent, late) -> waiting.interrupt());

            var reached = UpstreamCall.send(request, AT_ONCE, 1000);

            // The interrupt may find it ended already.
            Thread.interrupted();
            assertThat(reached).isInstanceOf(UpstreamResult.Unanswered.class);
            assertThat(upstream.posts()).hasSize(1);
        }
    }

    @Test
    void whatCouldNotBeSentBeforeTheStopIsNotSent() throws Exception {
        Thread.currentThread().interrupt();

        // There is no such machine: addresses of this network are for documents.
        var reached = UpstreamCall.send(post("http://192.0.2.1"), Duration.ofSeconds(10), 1000);

        assertThat(reached).isInstanceOf(UpstreamResult.NotSent.class);
    }
}
