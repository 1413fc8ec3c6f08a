package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.pay;
import static dev.refrain.gateway.GatewayUnderTest.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.api.ScopedKey;
import dev.refrain.http.cases.CapturedWarningLines;
import dev.refrain.http.edge.RouteProtection;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What a person reads after a stop that some requests outlasted. */
class UnfinishedRequestsLogTest {

    @Test
    void stopNamesTheRequestsThatDidNotFinish() throws Exception {
        String key = UUID.randomUUID().toString();
        var over = new CountDownLatch(1);
        try (var log = new CapturedWarningLines(GatewayServer.class.getName());
                var upstream = new RawUpstream((request, socket) -> over.await())) {
            var gateway =
                    new GatewayUnderTest(upstream.address(), "gateway: {drain: 1s}\n" + route("upstream-timeout: 1m"));
            var client = Thread.startVirtualThread(() -> {
                try {
                    gateway.send(pay(key).to("/pay?card=4111111111111111"));
                } catch (Exception brokenOff) {
                    // The stop ends its connection.
                }
            });
            var identity = new ScopedKey("", RouteProtection.NAMESPACE, key);
            await().until(() -> !upstream.posts().isEmpty());
            var record = gateway.refrain().admin().find(identity).orElseThrow();
            gateway.close();
            over.countDown();
            client.join();

            assertThat(log.containing("record " + record.claim().id()))
                    .singleElement()
                    .asString()
                    .startsWith("Not finished within gateway.drain (1 s): 1 request: POST /pay, key "
                            + key.substring(0, 4) + "…, record ")
                    .doesNotContain(key, "4111");
        }
    }
}
