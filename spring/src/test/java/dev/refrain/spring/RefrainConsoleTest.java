package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.console.PasswordHash;
import dev.refrain.servers.PostgresServer;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The console inside of an application: off unless it is asked for, and closed to whoever cannot say the password. */
class RefrainConsoleTest {

    private static final String CONSOLE = "/refrain-console";

    private final HttpClient http =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

    @Test
    void consoleIsServedOnlyIfEnabledAndShowsTheKeysOfThisApplication() throws Exception {
        String url = PostgresServer.shared().freshDatabase();
        try (var without = PaymentsTestApplication.start(url)) {
            assertThat(get(ServerPort.of(without), CONSOLE + "/").statusCode()).isEqualTo(404);
        }
        String hash = PasswordHash.of("sesame".toCharArray()).text();
        try (var with = PaymentsTestApplication.start(
                url, "--refrain.console.enabled=true", "--refrain.console.password-hash=" + hash)) {
            int port = ServerPort.of(with);
            var login = get(port, CONSOLE + "/");
            assertThat(login.statusCode()).isEqualTo(401);

            send(
                    port,
                    HttpRequest.newBuilder(at(port, "/payments"))
                            .header("Content-Type", "application/json")
                            .header("Idempotency-Key", "\"order-1\"")
                            .POST(HttpRequest.BodyPublishers.ofString("{\"amount\":10}")));
            var token =
                    Pattern.compile("name=\"refrain-token\" value=\"([^\"]+)\"").matcher(login.body());
            assertThat(token.find()).isTrue();
            var entered = send(
                    port,
                    HttpRequest.newBuilder(at(port, CONSOLE + "/login"))
                            .header("Content-Type", "application/x-www-form-urlencoded")
                            .header("Origin", "http://localhost:" + port)
                            .POST(HttpRequest.BodyPublishers.ofString(
                                    "name=ann&password=sesame&refrain-token=" + token.group(1))));
            assertThat(entered.statusCode()).isEqualTo(303);

            assertThat(get(port, CONSOLE + "/keys").body()).contains("order-1", "COMPLETED");
            assertThat(get(port, CONSOLE + "/contract").body()).contains("POST /payments");
            assertThat(get(port, CONSOLE + "/live").body()).contains("1 ran for the first time since startup");
        }
    }

    @Test
    void oneThatNobodyCouldEnterIsRefusedAtTheStart() {
        String url = PostgresServer.shared().freshDatabase();
        assertThatThrownBy(() -> PaymentsTestApplication.start(url, "--refrain.console.enabled=true"))
                .rootCause()
                .hasMessageContaining("refrain.console.password-hash");
    }

    private HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
        return send(port, HttpRequest.newBuilder(at(port, path)));
    }

    private HttpResponse<String> send(int port, HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static URI at(int port, String path) {
        return URI.create("http://localhost:" + port + path);
    }
}
