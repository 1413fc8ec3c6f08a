package dev.refrain.http.client;

import static dev.refrain.http.client.ScriptedHttpServer.answer;
import static dev.refrain.http.client.ScriptedHttpServer.halfAnswer;
import static dev.refrain.http.client.ScriptedHttpServer.hangUp;
import static dev.refrain.http.client.ScriptedHttpServer.silence;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.http.client.example.ApacheExample;
import dev.refrain.http.client.example.OkHttpExample;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import okhttp3.OkHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Senders for other HTTP libraries. */
@Timeout(60)
class OtherHttpLibrariesTest {

    private final ManualClientClock time = new ManualClientClock();

    static List<Named<PendingRequestSender>> senders() {
        return List.of(
                Named.of("OkHttp", OkHttpExample.through(new OkHttpClient())),
                Named.of(
                        "Apache HttpClient",
                        ApacheExample.through(HttpClients.custom()
                                .disableAutomaticRetries()
                                .disableRedirectHandling()
                                .build())));
    }

    @ParameterizedTest
    @MethodSource("senders")
    void documentedSenderSendsUntilFinalResponse(PendingRequestSender sender, @TempDir Path folder) throws Exception {
        var file = Files.writeString(folder.resolve("body"), "{\"cents\":1999}");
        try (var wire = new ScriptedHttpServer(
                hangUp(), halfAnswer(), silence(), answer(503, ""), answer(201, "paid", "Idempotent-Replayed: true"))) {
            var client = RefrainClient.builder()
                    .sender(sender)
                    .attemptTimeout(Duration.ofSeconds(4))
                    .clock(time)
                    .build();

            var answer = client.send(ResendableRequest.post(wire.uri(), ResendableBody.ofFile(file))
                    .with("X-Of", "ours"));

            assertThat(answer.text()).isEqualTo("paid");
            assertThat(answer.replayed()).isTrue();
            assertThat(wire.keys()).hasSize(5).containsOnly('"' + answer.key() + '"');
            assertThat(wire.seen)
                    .extracting(ScriptedHttpServer.RecordedRequest::body)
                    .containsOnly("{\"cents\":1999}");
            assertThat(wire.seen).flatExtracting(seen -> seen.headers("X-Of")).containsOnly("ours");
        }
    }
}
