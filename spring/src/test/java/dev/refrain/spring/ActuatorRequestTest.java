package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.AnswerHeader;
import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.ScopedKey;
import dev.refrain.spring.actuator.RefrainActuatorEndpoint;
import dev.refrain.store.OutcomeFormat;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.Principal;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.annotation.Bean;

/** A decision that the actuator cannot take is answered with the parameter that is wrong. */
class ActuatorRequestTest {

    private static final String ID = UUID.randomUUID().toString();

    private static StartTestApplication application;

    static class Login {
        @Bean
        Filter alice() {
            return (request, response, chain) -> chain.doFilter(
                    new HttpServletRequestWrapper((HttpServletRequest) request) {
                        @Override
                        public Principal getUserPrincipal() {
                            return () -> "alice";
                        }
                    },
                    response);
        }
    }

    @BeforeAll
    static void start(@TempDir Path directory) {
        application = StartTestApplication.start(
                "jdbc:sqlite:" + directory.resolve("keys.db"),
                List.of("management.endpoints.web.exposure.include=refrain"),
                Login.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static HttpResponse<String> decide(String members) throws IOException, InterruptedException {
        return application.post(
                "/actuator/refrain", "k", members.replace('\'', '"').replace("ID", ID));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'lookup': 'ID', 'id': 'ID', 'fence': 1, 'verdict': 'done'} | why is missing",
                "{'lookup': 'ID', 'id': 'ID', 'fence': 1, 'verdict': 'done', 'why': ' '} | why is missing",
                "{'lookup': 'ID', 'id': 'ID', 'fence': 1, 'why': 'w'} | verdict is missing",
                "{'lookup': 'ID', 'id': 'ID', 'fence': 1, 'verdict': 'resolved', 'why': 'w'} | verdict is 'resolved'",
                "{'lookup': 'L', 'id': 'ID', 'fence': 1, 'verdict': 'done', 'why': 'w'} | lookup is no UUID",
                "{'lookup': 'ID', 'fence': 1, 'verdict': 'done', 'why': 'w'} | id is missing",
                "{'lookup': 'ID', 'id': 'ID', 'fence': 'one', 'verdict': 'done', 'why': 'w'} | fence is no number",
                "{'lookup': 'ID', 'id': 'ID', 'fence': 1, 'verdict': 'done', 'status': '2xx', 'why': 'w'} | status is no number",
                "{'lookup': 'ID', 'id': 'ID', 'fence': 1, 'verdict': 'done', 'status': 42, 'why': 'w'} | status, body or contentType cannot be sent",
                "{'lookup': 'ID', 'id': 'ID', 'fence': 1, 'verdict': 'done', 'why': 'w', 'store': 'bluk'} | 'bluk'",
            })
    void mistakeIsAnsweredWithItsParameterAndAnExample(String members, String named)
            throws IOException, InterruptedException {
        var answer = decide(members);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains("\"done\":false", named, "Example: ", "run-again");
    }

    @Test
    void verdictsAreNamedWhereOneIsUnknown() throws IOException, InterruptedException {
        assertThat(decide("{'lookup': 'ID', 'id': 'ID', 'fence': 1, 'verdict': 'resolved', 'why': 'w'}")
                        .body())
                .contains("done (it took effect), run-again (it did not) or failed (it must not run again)");
    }

    @Test
    void storedAnswerHasTheContentTypeThatIsGiven() throws IOException, InterruptedException {
        var refrain = application.context().getBean(Refrain.class);
        var held = refrain.operation("pay", String.class).leased(LeaseExpiryPolicy.HOLD);
        assertThatThrownBy(() -> held.run(OperationCall.scope("").key("k").request("request"), claim -> {
            throw new EffectUnknownException("The bank did not answer.", null);
        }));
        var waiting = application
                .context()
                .getBean(RefrainActuatorEndpoint.class)
                .overview(null)
                .attention()
                .getFirst();

        String named =
                "{'lookup': '" + waiting.lookup() + "', 'id': '" + waiting.id() + "', 'fence': " + waiting.fence();
        assertThat(decide(named + ", 'verdict': 'done', 'why': 'w', 'contentType': 'a\\nb'}")
                        .statusCode())
                .isEqualTo(400);
        var answer = decide(
                named
                        + ", 'verdict': 'done', 'status': 201, 'why': 'w', 'contentType': 'application/json', 'body': '{\\'reference\\': \\'T-1\\'}'}");

        assertThat(answer.body()).contains("\"done\":true");
        var stored = OutcomeFormat.decode(refrain.admin()
                .find(new ScopedKey("", "pay", "k"))
                .orElseThrow()
                .outcome()
                .orElseThrow());
        assertThat(stored.headers()).containsExactly(new AnswerHeader("Content-Type", "application/json"));
        assertThat(new String(stored.body().bytes(), StandardCharsets.UTF_8)).isEqualTo("{\"reference\": \"T-1\"}");
    }

    @Test
    void decisionAboutARecordThatIsGoneIsTold() throws IOException, InterruptedException {
        var answer = decide("{'lookup': 'ID', 'id': 'ID', 'fence': 1, 'verdict': 'run-again', 'why': 'w'}");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("\"done\":false", "List it again");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"/ID | why is missing", "/ID?why= | why is missing", "/7?why=w | id is no UUID"})
    void revealThatLacksAParameterIsAnsweredWithIt(String path, String named) throws IOException, InterruptedException {
        try (var client = HttpClient.newHttpClient()) {
            var answer = client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ServerPort.of(application.context())
                                    + "/actuator/refrain" + path.replace("ID", ID)))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).contains(named, "Example: ", "?why=");
        }
    }
}
