package dev.refrain.console;

import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Minimal browser: keeps cookies and submits the hidden fields of forms. */
final class SimpleBrowser {

    private static final Pattern TOKEN = Pattern.compile("name=\"" + CsrfGuard.FIELD + "\" value=\"([^\"]+)\"");
    private static final Pattern SEEN = Pattern.compile("name=\"seen\" value=\"([^\"]+)\"");

    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<String, String> cookies = new HashMap<>();
    final Map<String, String> headers = new HashMap<>();
    private final ConsoleFixture scene;
    private String token = "";
    private String seen = "";

    SimpleBrowser(ConsoleFixture scene) {
        this.scene = scene;
        headers.put("Origin", scene.at("").toString());
    }

    SimpleBrowser signedIn() {
        get("/");
        assertSeeOther(post("/login", Map.of("name", "ann", "password", ConsoleFixture.PASSWORD)));
        get("/");
        return this;
    }

    /** Sets a cookie, as a page of a neighbouring host could. */
    void plant(String cookie, String value) {
        cookies.put(cookie, value);
    }

    String cookie(String name) {
        return cookies.getOrDefault(name, "");
    }

    static void assertSeeOther(HttpResponse<String> answer) {
        if (answer.statusCode() != 303) {
            throw new AssertionError(answer.statusCode() + "\n" + answer.body());
        }
    }

    HttpResponse<String> get(String path) {
        return send(HttpRequest.newBuilder(scene.at(path)).GET());
    }

    /** Submits a form with the token and the claim of the page opened last. */
    HttpResponse<String> post(String path, Map<String, String> fields) {
        var form = new HashMap<>(Map.of(CsrfGuard.FIELD, token, "seen", seen));
        form.putAll(fields);
        String body = form.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return send(HttpRequest.newBuilder(scene.at(path))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    static String key(String act, String scope, String key) {
        return "/key" + act + "?scope=" + URLEncoder.encode(scope, StandardCharsets.UTF_8) + "&namespace="
                + ConsoleFixture.OPERATION + "&key=" + URLEncoder.encode(key, StandardCharsets.UTF_8);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        String kept = cookies.entrySet().stream()
                .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
                .collect(Collectors.joining("; "));
        if (!kept.isEmpty()) {
            request.header("Cookie", kept);
        }
        headers.forEach(request::header);
        try {
            var answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            answer.headers().allValues("Set-Cookie").forEach(cookie -> {
                var pair = cookie.split(";")[0].split("=", 2);
                cookies.put(pair[0], pair[1]);
            });
            var tokens = TOKEN.matcher(answer.body());
            token = tokens.find() ? tokens.group(1) : token;
            var fences = SEEN.matcher(answer.body());
            seen = fences.find() ? fences.group(1) : seen;
            return answer;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
