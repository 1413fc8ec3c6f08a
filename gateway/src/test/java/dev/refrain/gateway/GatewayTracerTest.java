package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.pay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.refrain.gateway.internal.config.CommandLineOverrides;
import dev.refrain.gateway.internal.config.GatewayConfigException;
import dev.refrain.gateway.internal.config.GatewayConfigReader;
import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.http.cases.RawHttpResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Spans, as a collector receives them. */
class GatewayTracerTest {

    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String CLIENT = "00f067aa0ba902b7";
    private static final String SENT = "00-" + TRACE + "-" + CLIENT + "-01";

    @TempDir
    private Path folder;

    private Gateway start(RawUpstream upstream, Map<String, String> environment) throws Exception {
        var config = new GatewayConfigReader(
                        new CommandLineOverrides(
                                Optional.of(upstream.address()),
                                Optional.of("127.0.0.1:0"),
                                Optional.of("off"),
                                Optional.of("jdbc:sqlite:" + folder.resolve("keys.db"))),
                        Map.of())
                .read(GatewayUnderTest.scoped(GatewayUnderTest.route()));
        return Gateway.start(config, environment, line -> {});
    }

    private static RawHttpResponse send(Gateway gateway, RawHttpRequest request) throws IOException {
        try (var wire = new RawHttpConnection(gateway.port())) {
            wire.send(request);
            return wire.receive();
        }
    }

    private static RawHttpRequest traced() {
        return pay("secret-key").line("traceparent: " + SENT).line("Authorization: Bearer secret-token");
    }

    @Test
    void requestIsASpanBetweenTheClientsAndTheServices() throws Exception {
        try (var collector = new OtlpReceiver();
                var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = start(
                        upstream,
                        Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", collector.address(), "OTEL_BSP_SCHEDULE_DELAY", "50"))) {
            send(gateway, traced());
            send(gateway, traced());
            send(
                    gateway,
                    RawHttpRequest.post("/other/secret-path?token=secret-query").by("GET"));
            await().until(() -> collector.spans().size() == 3);

            var first = collector.spans().getFirst();
            assertThat(first.trace()).isEqualTo(TRACE);
            assertThat(first.parent()).isEqualTo(CLIENT);
            assertThat(first.name()).isEqualTo("POST /pay");
            assertThat(first.attributes())
                    .containsEntry("refrain.outcome", "first")
                    .containsEntry("http.route", "/pay")
                    .containsEntry("http.response.status_code", "201");
            assertThat(upstream.posts().getFirst().header("traceparent"))
                    .hasValue("00-" + TRACE + "-" + first.id() + "-01");
            assertThat(collector.spans().get(1).attributes()).containsEntry("refrain.outcome", "replayed");
            var other = collector.spans().get(2);
            assertThat(other.attributes()).containsEntry("refrain.outcome", "passed");
            assertThat(other.name()).isEqualTo("GET");
            assertThat(other.trace()).isNotEqualTo(TRACE);
            assertThat(upstream.all().getLast().header("traceparent").orElseThrow())
                    .contains(other.trace(), other.id());
            assertThat(collector.raw()).contains("refrain-gateway").doesNotContain("secret");
        }
    }

    @Test
    void pendingSpansAreExportedAtShutdown() throws Exception {
        try (var collector = new OtlpReceiver();
                var upstream = new RawUpstream(RawUpstream.answering(201, "made"))) {
            try (var gateway = start(upstream, Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", collector.address()))) {
                send(gateway, traced());
            }
            assertThat(collector.spans()).hasSize(1);
        }
    }

    @Test
    void collectorThatIsAwayChangesNothing() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = start(
                        upstream,
                        Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1", "OTEL_BSP_SCHEDULE_DELAY", "50"))) {
            assertThat(send(gateway, traced()).status()).isEqualTo(201);
            assertThat(send(gateway, traced()).replayed()).isTrue();
        }
    }

    @Test
    void unusableSettingIsReportedAtStart() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"))) {
            var grpc = Map.of(
                    "OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4317", "OTEL_EXPORTER_OTLP_PROTOCOL", "grpc");

            assertThatThrownBy(() -> start(upstream, grpc))
                    .isInstanceOf(GatewayConfigException.class)
                    .hasMessageContaining("OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf");
        }
    }

    @Test
    void unlessItIsAskedForTheClientsTracePassesAsItIs() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = start(upstream, Map.of())) {
            send(gateway, traced());

            assertThat(upstream.posts().getFirst().header("traceparent")).hasValue(SENT);
        }
    }
}
