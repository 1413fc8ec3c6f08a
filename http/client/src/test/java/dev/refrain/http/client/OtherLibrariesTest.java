package dev.refrain.http.client;

import static dev.refrain.http.client.Wire.answer;
import static dev.refrain.http.client.Wire.halfAnswer;
import static dev.refrain.http.client.Wire.hangUp;
import static dev.refrain.http.client.Wire.silence;
import static org.assertj.core.api.Assertions.assertThat;

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

/** Another library can do the sending. */
@Timeout(60)
class OtherLibrariesTest {

    private final ManualTime time = new ManualTime();

    static List<Named<Sender>> senders() {
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
    void the_sender_that_the_documentation_shows_sends_until_it_is_answered(Sender sender, @TempDir Path folder)
            throws Exception {
        var file = Files.writeString(folder.resolve("body"), "{\"cents\":1999}");
        try (var wire = new Wire(
                hangUp(), halfAnswer(), silence(), answer(503, ""), answer(201, "paid", "Idempotent-Replayed: true"))) {
            var client = RefrainClient.builder()
                    .sender(sender)
                    .attemptTimeout(Duration.ofSeconds(4))
                    .clock(time)
                    .build();

            var answer = client.send(Request.post(wire.uri(), Body.ofFile(file)).with("X-Of", "ours"));

            assertThat(answer.text()).isEqualTo("paid");
            assertThat(answer.replayed()).isTrue();
            assertThat(wire.keys()).hasSize(5).containsOnly('"' + answer.key() + '"');
            assertThat(wire.seen).extracting(Wire.Seen::body).containsOnly("{\"cents\":1999}");
            assertThat(wire.seen).flatExtracting(seen -> seen.headers("X-Of")).containsOnly("ours");
        }
    }
}
