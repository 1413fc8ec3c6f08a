package dev.refrain.springservice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.servers.PostgresServer;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A fresh service with JPA, Spring Security, PostgreSQL and a pool of five starts on an empty database, protects its handlers and
 * says what it does. Its tables are those of one migration tool or the other.
 */
@ExtendWith(OutputCaptureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FreshServiceTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private ConfigurableApplicationContext service;
    private String logged = "";

    /** Returns the settings of the migration tool. */
    abstract List<String> migrations();

    @BeforeAll
    void start(CapturedOutput output) {
        var settings = new ArrayList<>(List.of(
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--spring.datasource.url=" + PostgresServer.shared().freshDatabase(),
                "--spring.datasource.hikari.maximum-pool-size=5",
                "--spring.jpa.hibernate.ddl-auto=validate"));
        settings.addAll(migrations());
        service = SpringApplication.run(PaymentService.class, settings.toArray(String[]::new));
        logged = output.toString();
    }

    @AfterAll
    void stop() {
        service.close();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(
                "http://127.0.0.1:" + service.getEnvironment().getRequiredProperty("local.server.port") + path));
    }

    private HttpResponse<String> post(String path, String user, String key, String body)
            throws IOException, InterruptedException {
        return post(request(path), user, key, body);
    }

    private static HttpResponse<String> post(HttpRequest.Builder request, String user, String key, String body)
            throws IOException, InterruptedException {
        request.header("Content-Type", "application/json")
                .header("Idempotency-Key", '"' + key + '"')
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (!user.isEmpty()) {
            request.header(
                    "Authorization",
                    "Basic "
                            + Base64.getEncoder()
                                    .encodeToString((user + ":secret").getBytes(StandardCharsets.US_ASCII)));
        }
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String newKey() {
        return UUID.randomUUID().toString();
    }

    private static boolean isReplay(HttpResponse<?> response) {
        return response.headers().firstValue("Idempotent-Replayed").isPresent();
    }

    private long count(String sql, Object... values) {
        return service.getBean(JdbcTemplate.class).queryForObject(sql, Long.class, values);
    }

    private long records(String key) {
        return count("SELECT count(*) FROM refrain_record WHERE key = ?", key);
    }

    @Test
    void oneLineSaysWhatIsProtectedAndHow() {
        assertThat(logged.lines().filter(line -> line.contains("Refrain: store")))
                .singleElement()
                .asString()
                .contains(
                        "Refrain: store PostgreSQL",
                        "scope principal",
                        "POST /payments (transactional)",
                        "POST /reminders (leased",
                        "sweeper, reaper",
                        "the pool has 5, 5 are left");
    }

    @Test
    void requestTakesEffectOnceAndItsResponseIsReplayed() throws Exception {
        String key = newKey();

        var first = post("/payments", "alice", key, "{\"amount\":101}");
        var again = post("/payments", "alice", key, "{\"amount\":101}");

        assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
        assertThat(first.body()).contains("\"payer\":\"alice\"");
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(isReplay(again)).isTrue();
        assertThat(count("SELECT count(*) FROM payment WHERE amount = 101")).isEqualTo(1);
    }

    @Test
    void anotherRequestUnderTheKeyIsAProblemThatSaysWhy() throws Exception {
        String key = newKey();
        post("/payments", "alice", key, "{\"amount\":102}");

        var mismatch = post("/payments", "alice", key, "{\"amount\":103}");

        assertThat(mismatch.statusCode()).isEqualTo(422);
        assertThat(mismatch.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("application/problem+json"));
        assertThat(mismatch.body()).contains("urn:refrain:problem:", "\"title\"", "\"detail\"");
        assertThat(count("SELECT count(*) FROM payment WHERE amount = 103")).isZero();
    }

    /** Two callers choose the same key: neither sees the other's response. */
    @Test
    void keysAreThoseOfTheCaller() throws Exception {
        String key = newKey();

        var ofAlice = post("/payments", "alice", key, "{\"amount\":104}");
        var ofBob = post("/payments", "bob", key, "{\"amount\":104}");

        assertThat(ofAlice.body()).contains("alice");
        assertThat(ofBob.body()).contains("bob");
        assertThat(isReplay(ofBob)).isFalse();
    }

    @Test
    void unknownCallerConsumesNoKey() throws Exception {
        String key = newKey();

        assertThat(post("/payments", "", key, "{\"amount\":105}").statusCode()).isEqualTo(401);
        assertThat(post("/payments", "mallory", key, "{\"amount\":105}").statusCode())
                .isEqualTo(401);
        assertThat(records(key)).isZero();
        assertThat(post("/payments", "alice", key, "{\"amount\":105}").statusCode())
                .isEqualTo(200);
    }

    @Test
    void forgedFormConsumesNoKey() throws Exception {
        String key = newKey();

        assertThat(post("/forms/payments", "alice", key, "{\"amount\":106}").statusCode())
                .isEqualTo(403);
        assertThat(records(key)).isZero();
    }

    /** The question that a browser asks first has neither credentials nor a key. */
    @Test
    void pageOfAnotherOriginMaySendAKeyAndSeesThatItsResponseIsAReplay() throws Exception {
        String key = newKey();
        var asked = CLIENT.send(
                request("/payments")
                        .method("OPTIONS", HttpRequest.BodyPublishers.noBody())
                        .header("Origin", "https://shop.example")
                        .header("Access-Control-Request-Method", "POST")
                        .header("Access-Control-Request-Headers", "authorization,content-type,idempotency-key")
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(asked.statusCode()).isEqualTo(200);
        assertThat(asked.headers().firstValue("Access-Control-Allow-Headers").orElse(""))
                .containsIgnoringCase("idempotency-key");

        for (boolean replayed : new boolean[] {false, true}) {
            var sent = post(
                    request("/payments").header("Origin", "https://shop.example"), "alice", key, "{\"amount\":110}");
            assertThat(sent.statusCode()).isEqualTo(200);
            assertThat(isReplay(sent)).isEqualTo(replayed);
            assertThat(sent.headers()
                            .firstValue("Access-Control-Expose-Headers")
                            .orElse(""))
                    .contains("Idempotent-Replayed");
        }
    }

    @Test
    void keyOfARefusedOriginStaysFree() throws Exception {
        String key = newKey();

        var refused =
                post(request("/payments").header("Origin", "https://evil.example"), "alice", key, "{\"amount\":111}");

        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(records(key)).isZero();
    }

    @Test
    void unreadableBodyConsumesNoKey() throws Exception {
        String key = newKey();

        assertThat(post("/payments", "alice", key, "{\"amount\":").statusCode()).isEqualTo(400);
        assertThat(post("/payments", "alice", key, "{\"amount\":107}").statusCode())
                .isEqualTo(200);
    }

    /** On a slow machine a request may be refused until its turn would come in time; a retry under its key is safe. */
    @Test
    void poolOfFiveServesTwentyRequestsAtOnce() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = IntStream.range(0, 20)
                    .mapToObj(i -> (Callable<HttpResponse<String>>)
                            () -> retrying(i % 2 == 0 ? "/payments" : "/reminders", newKey(), "{\"amount\":108}"))
                    .toList();
            for (var call : threads.invokeAll(calls)) {
                assertThat(call.get().statusCode()).as(call.get().body()).isEqualTo(200);
            }
        }
        assertThat(count("SELECT count(*) FROM payment WHERE amount = 108")).isEqualTo(10);
    }

    private HttpResponse<String> retrying(String path, String key, String body) throws Exception {
        var response = post(path, "alice", key, body);
        for (int retry = 0; response.statusCode() == 503 && retry < 20; retry++) {
            assertThat(response.body()).contains("\"retryable\":true");
            response = post(path, "alice", key, body);
        }
        return response;
    }

    /** The starter brings what counts; the service has Micrometer from its actuator. */
    @Test
    void metricsComeWithTheStarter() throws Exception {
        post("/payments", "alice", newKey(), "{\"amount\":109}");
        assertThat(service.getBean(MeterRegistry.class).getMeters())
                .extracting(meter -> meter.getId().getName())
                .contains("refrain.call", "refrain.store.connections.held");
    }
}
