package dev.refrain.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.console.PasswordHash;
import dev.refrain.gateway.internal.config.CommandLineOverrides;
import dev.refrain.gateway.internal.config.GatewayConfigReader;
import java.io.IOException;
import java.net.BindException;
import java.net.CookieManager;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The console in a whole gateway: only where it is asked for, and only for who knows the password. */
@Timeout(120)
class GatewayConsoleTest {

    private static final String PASSWORD = "correct horse battery";
    private static final Pattern TOKEN = Pattern.compile("name=\"refrain-token\" value=\"([^\"]+)\"");

    private final HttpClient http =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        http.close();
    }

    DatabaseAddress database() {
        return new DatabaseAddress("jdbc:sqlite:" + folder.resolve("keys.db"));
    }

    private Gateway start(String console) throws Exception {
        var database = database();
        var reader = new GatewayConfigReader(
                new CommandLineOverrides(
                        Optional.of("http://127.0.0.1:1"),
                        Optional.of("127.0.0.1:0"),
                        Optional.of("127.0.0.1:0"),
                        Optional.of(database.bare())),
                Map.of());
        return Gateway.start(reader.read(GatewayUnderTest.scoped(console)), database.environment(), line -> {});
    }

    private static String console(String listen) {
        return "gateway:\n  console:\n    listen: " + listen + "\n    password-hash: '"
                + PasswordHash.of(PASSWORD.toCharArray()).text() + "'\n";
    }

    @Test
    void withoutBeingAskedForThereIsNone() throws Exception {
        try (var gateway = start("")) {
            assertThat(gateway.consoleAddress()).isEmpty();
            var admin = URI.create("http://127.0.0.1:" + gateway.adminPort().orElseThrow() + "/keys");
            assertThat(get(admin).statusCode()).isEqualTo(404);
        }
    }

    @Test
    void visitorWithThePasswordSeesTheKeysAndTheContract() throws Exception {
        try (var gateway = start(console("127.0.0.1:0"))) {
            var at = URI.create(
                    "http://127.0.0.1:" + gateway.consoleAddress().orElseThrow().getPort() + "/");
            // Nobody is behind it: the key is claimed, nothing is sent, and it is released.
            send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + "/pay"))
                    .header("Idempotency-Key", "\"k-1\"")
                    .POST(HttpRequest.BodyPublishers.ofString("{}")));
            assertThat(get(at.resolve("keys")).statusCode()).isEqualTo(401);
            assertThat(signIn(at, "wrong").statusCode()).isEqualTo(401);
            assertThat(get(at.resolve("keys")).body()).doesNotContain("k-1");

            assertThat(signIn(at, PASSWORD).statusCode()).isEqualTo(303);
            assertThat(get(at.resolve("keys")).body()).contains("k-1", "RELEASED");
            assertThat(get(at.resolve("contract")).body()).contains("POST", "/**");
            assertThat(get(at).body()).contains("First runs");
        }
    }

    @Test
    void formWithoutTheTokenIsRefused() throws Exception {
        try (var gateway = start(console("127.0.0.1:0"))) {
            var at = URI.create(
                    "http://127.0.0.1:" + gateway.consoleAddress().orElseThrow().getPort() + "/");
            signIn(at, PASSWORD);
            var answer = send(form(at.resolve("logout"), ""));
            assertThat(answer.statusCode()).isEqualTo(403);
            assertThat(get(at).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void portInUseIsReportedAndNothingIsLeftRunning() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            assertThatThrownBy(() -> start(console("127.0.0.1:" + taken.getLocalPort())))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("The console cannot listen on 127.0.0.1:" + taken.getLocalPort())
                    .hasCauseInstanceOf(BindException.class);
        }
    }

    private HttpResponse<String> signIn(URI at, String password) throws Exception {
        var token = TOKEN.matcher(get(at.resolve("login")).body());
        assertThat(token.find()).isTrue();
        return send(form(
                at.resolve("login"),
                "name=ann&password=" + URLEncoder.encode(password, StandardCharsets.UTF_8) + "&refrain-token="
                        + token.group(1)));
    }

    private static HttpRequest.Builder form(URI place, String body) {
        return HttpRequest.newBuilder(place)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Origin", "http://" + place.getAuthority())
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    private HttpResponse<String> get(URI place) throws Exception {
        return send(HttpRequest.newBuilder(place));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
