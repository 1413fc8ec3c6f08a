package dev.refrain.spring;

import static dev.refrain.http.cases.RawRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.http.cases.Wire;
import dev.refrain.servers.PostgresServer;
import org.junit.jupiter.api.Test;

/** An application that is not at the root of its server. */
class ContextPathTest {

    @Test
    void whatIsLinkedIsThere() throws Exception {
        try (var context = PaymentsApplication.start(
                        PostgresServer.shared().freshDatabase(), "--server.servlet.context-path=/app");
                var wire = new Wire(context.getWebServer().getPort());
                var next = new Wire(context.getWebServer().getPort())) {
            wire.send(post("/app/payments").json("{\"amount\":12}"));
            var refused = wire.receive();
            String link = refused.header("Link").orElseThrow();

            next.send(post(link.substring(1, link.indexOf('#'))).by("GET"));

            assertThat(refused.status()).isEqualTo(400);
            assertThat(next.receive().status()).as(link).isEqualTo(200);
        }
    }
}
