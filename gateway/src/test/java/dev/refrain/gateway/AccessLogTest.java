package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.pay;
import static dev.refrain.gateway.GatewayUnderTest.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.http.edge.ContractAndStatusPaths;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class AccessLogTest {

    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    @Test
    void eachRequestIsALineThatSaysWhatBecameOfItAndNoSecret() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = new GatewayUnderTest(
                        upstream.address(),
                        route(),
                        new AccessLog(Clock.systemUTC(), Optional.of(lines::add), meters))) {
            ends(gateway, pay("secret-key").line("Authorization: Bearer secret-token"), "POST /pay 201 4B", "first");
            ends(gateway, pay("secret-key"), "POST /pay 201 4B", "replayed");
            ends(gateway, pay("secret-key").json("{}"), "POST /pay 422", "mismatch");
            ends(gateway, RawHttpRequest.post("/pay"), "POST /pay 400", "refused");
            String status = ContractAndStatusPaths.DEFAULT.status("secret-key");
            ends(gateway, RawHttpRequest.post(status).by("GET"), "GET /refrain/status/{key} 201", "own");
            ends(gateway, RawHttpRequest.post("/other?token=secret-query").by("GET"), "GET /other 201", "passed");
            upstream.from((request, socket) -> RawUpstream.reset(socket));
            ends(gateway, pay("another-key"), "POST /pay 409", "attention");
            ends(gateway, pay("another-key"), "POST /pay 409", "attention");
            upstream.close();
            ends(gateway, pay("third-key"), "POST /pay 502", "unreached");
            assertThat(lines).allMatch(line -> !line.contains("secret"));
            assertThat(lines).noneMatch(line -> line.contains(status));
            assertThat(meters.get("refrain.gateway.request")
                            .tag("outcome", "replayed")
                            .timer()
                            .count())
                    .isEqualTo(1);
        }
    }

    private void ends(GatewayUnderTest gateway, RawHttpRequest request, String said, String outcome) throws Exception {
        int before = lines.size();
        gateway.send(request);
        await().until(() -> lines.size() == before + 1);
        assertThat(lines).last().asString().contains(said).endsWith("ms " + outcome);
    }
}
