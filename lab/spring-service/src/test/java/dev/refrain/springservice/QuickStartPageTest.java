package dev.refrain.springservice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.servers.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A fresh service, made of the files of the quick start for Spring MVC and nothing else, starts on an empty PostgreSQL with Flyway and does what
 * the page shows. {@code .ci/quickstarts} also runs the page's commands, with Maven and the published artifacts.
 */
class QuickStartPageTest {

    private static final Path PAGE = Path.of("../../docs/quickstart/spring-mvc.md");
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final Pattern ID = Pattern.compile("\"id\":\"[0-9a-f-]{36}\"");

    @TempDir
    private Path folder;

    private QuickStartService page;

    @BeforeEach
    void writeFiles() throws IOException {
        page = QuickStartService.of(PAGE, folder);
    }

    @Test
    void classPathOfTheServiceIsThatOfThePage() {
        assertThat(page.missingArtifacts())
                .as("dependencies of the page that this module does not have")
                .isEmpty();
        assertThat(page.text()).as("the version of Spring Boot").contains(page.springBootVersion());
    }

    @Test
    void freshServiceChargesOncePerKeyAndReplaysItsResponse() throws Exception {
        String database = PostgresServer.shared().freshDatabase();
        try (var service = page.start(database)) {
            assertThat(service.logged())
                    .anyMatch(line -> line.contains("Refrain: store PostgreSQL")
                            && line.contains("scope shared")
                            && line.contains("routes POST /payments (transactional)"));

            var first = post(service, "\"order-4711\"", "{\"amount\":1299,\"currency\":\"EUR\"}");
            var again = post(service, "\"order-4711\"", "{\"amount\":1299,\"currency\":\"EUR\"}");
            var other = post(service, "\"order-4711\"", "{\"amount\":1,\"currency\":\"EUR\"}");
            var without = post(service, "", "{\"amount\":1299,\"currency\":\"EUR\"}");

            assertThat(first.statusCode()).as(first.body()).isEqualTo(201);
            assertThat(first.body()).containsPattern(ID).endsWith("\"amount\":1299,\"currency\":\"EUR\"}");
            assertThat(again.statusCode()).isEqualTo(201);
            assertThat(again.body()).isEqualTo(first.body());
            assertThat(again.headers().firstValue("Idempotent-Replayed")).hasValue("true");
            assertThat(other.statusCode()).isEqualTo(422);
            assertThat(other.body()).contains("urn:refrain:problem:key-reused");
            assertThat(without.statusCode()).isEqualTo(400);
            assertThat(without.body()).contains("urn:refrain:problem:key-missing");
            assertThat(get(service, "/refrain/contract").body()).contains("/payments");
        }
        assertThat(count(database, "SELECT count(*) FROM payment")).isOne();
        assertThat(count(database, "SELECT count(*) FROM flyway_schema_history WHERE success"))
                .isOne();
    }

    private static HttpResponse<String> post(QuickStartService.Running service, String key, String body)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(service.uri("/payments"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (!key.isEmpty()) {
            request.header("Idempotency-Key", key);
        }
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> get(QuickStartService.Running service, String path)
            throws IOException, InterruptedException {
        URI uri = service.uri(path);
        return CLIENT.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static long count(String database, String sql) throws SQLException {
        try (var connection = DriverManager.getConnection(database);
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
