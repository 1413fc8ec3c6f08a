package dev.refrain.http.client;

import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One tab of a headless Chromium, controlled over the DevTools protocol. */
public final class HeadlessBrowser implements AutoCloseable {

    /** System property with the path of the program, if it is not on the PATH. */
    public static final String PROPERTY = "refrain.test.chromium";

    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Process process;
    private final HttpClient http = HttpClient.newHttpClient();
    private final WebSocket tab;
    private final AtomicInteger commands = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();

    /** Errors of the pages: violations of their policy, and exceptions of scripts. */
    public final List<String> complaints = new CopyOnWriteArrayList<>();

    public static Optional<Path> installed() {
        return Stream.concat(
                        Stream.ofNullable(System.getProperty(PROPERTY)).map(Path::of),
                        Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name))))
                .filter(Files::isExecutable)
                .findFirst();
    }

    public HeadlessBrowser(Path program, Path profile) throws Exception {
        process = new ProcessBuilder(
                        program.toString(),
                        "--headless=new",
                        "--no-sandbox", // it cannot have one as root, and sees only pages of this test
                        "--no-first-run",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectErrorStream(true)
                .start();
        try {
            tab = http.newWebSocketBuilder()
                    .buildAsync(firstTab(), new DevToolsListener())
                    .get(30, TimeUnit.SECONDS);
            for (String domain : List.of("Page", "Runtime", "Log")) {
                command(domain + ".enable", Map.of());
            }
        } catch (Exception | Error e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private URI firstTab() throws IOException, InterruptedException {
        String port = port();
        var tabs = http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        for (var one : JSON.readTree(tabs.body())) {
            if (one.path("type").asString().equals("page")) {
                return URI.create(one.path("webSocketDebuggerUrl").asString());
            }
        }
        throw new AssertionError("The browser has no tab: " + tabs.body());
    }

    /** Reads the URL it listens on. Later output is drained, or the process would block. */
    private String port() throws IOException {
        var said = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        var all = new StringBuilder();
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.startsWith("DevTools listening on ")) {
                Thread.startVirtualThread(() -> said.lines().forEach(dropped -> {}));
                return Integer.toString(URI.create(line.substring("DevTools listening on ".length()))
                        .getPort());
            }
            all.append(line).append('\n');
        }
        throw new IOException("The browser did not start: " + all);
    }

    public void open(URI page) {
        command("Page.navigate", Map.of("url", page.toString()));
        awaitPage(page);
    }

    /** Waits for the page; until then input may reach the previous one. */
    public void awaitPage(URI page) {
        patiently().until(() -> evaluate("document.readyState + location.href").equals("complete" + page));
    }

    /** Reloads like the button: the result of a form is requested by submitting the form again. */
    public void reload() {
        command("Page.reload", Map.of());
    }

    /** Goes back like the button. */
    public void back() {
        var history = command("Page.getNavigationHistory", Map.of());
        var before = history.path("entries").get(history.path("currentIndex").asInt() - 1);
        command(
                "Page.navigateToHistoryEntry",
                Map.of("entryId", before.path("id").asInt()));
        awaitPage(URI.create(before.path("url").asString()));
    }

    /** Replaces the text of a field by keyboard. */
    public void type(String selector, String text) {
        patiently()
                .until(() ->
                        evaluate("!!document.querySelector('" + selector + "')").equals("true"));
        evaluate("document.querySelector('" + selector + "').select()");
        write(text);
    }

    /** Clicks with the mouse. */
    public void click(String selector, int times) {
        var place = evaluate("(() => { const it = document.querySelector('" + selector + "');"
                        + " it.scrollIntoView({block: 'center', behavior: 'instant'}); const box = it.getBoundingClientRect();"
                        + " return (box.x + box.width / 2) + ' ' + (box.y + box.height / 2) })()")
                .split(" ");
        for (int count = 1; count <= times; count++) {
            for (String type : List.of("mousePressed", "mouseReleased")) {
                send(
                        "Input.dispatchMouseEvent",
                        Map.of(
                                "type",
                                type,
                                "x",
                                Double.valueOf(place[0]),
                                "y",
                                Double.valueOf(place[1]),
                                "button",
                                "left",
                                "clickCount",
                                count));
            }
        }
    }

    /** Types into the focused element. */
    public void write(String text) {
        command("Input.insertText", Map.of("text", text));
    }

    /** Presses Tab or Enter. */
    public void press(String key) {
        int code = key.equals("Tab") ? 9 : 13;
        for (String type : List.of("keyDown", "keyUp")) {
            command(
                    "Input.dispatchKeyEvent",
                    Map.of(
                            "type",
                            type,
                            "key",
                            key,
                            "code",
                            key,
                            "windowsVirtualKeyCode",
                            code,
                            "text",
                            key.equals("Enter") && type.equals("keyDown") ? "\r" : ""));
        }
    }

    public void awaitText(String wanted) {
        patiently()
                .until(
                        () -> evaluate("document.readyState === 'complete' ? document.body.innerText : ''"),
                        shown -> shown.contains(wanted));
    }

    /** Ignores failures while a page loads. */
    private static ConditionFactory patiently() {
        return await().ignoreExceptions()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .atMost(PATIENCE);
    }

    public String evaluate(String script) {
        return command("Runtime.evaluate", Map.of("expression", script))
                .path("result")
                .path("value")
                .asString();
    }

    /** Sets the window size and the preferred color scheme. */
    public void show(int width, int height, boolean dark) {
        command(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        command(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
    }

    public void screenshot(Path file) throws IOException {
        var image = command("Page.captureScreenshot", Map.of()).path("data").asString();
        Files.write(file, Base64.getDecoder().decode(image));
    }

    private JsonNode command(String method, Map<String, ?> parameters) {
        try {
            return send(method, parameters).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(method + " " + parameters, e);
        }
    }

    private CompletableFuture<JsonNode> send(String method, Map<String, ?> parameters) {
        int id = commands.incrementAndGet();
        var answer = new CompletableFuture<JsonNode>();
        answers.put(id, answer);
        tab.sendText(JSON.writeValueAsString(Map.of("id", id, "method", method, "params", parameters)), true)
                .join();
        return answer;
    }

    private void heard(JsonNode message) {
        if (message.has("id")) {
            var answer = answers.remove(message.path("id").asInt());
            if (message.has("error")) {
                answer.completeExceptionally(
                        new IOException(message.path("error").toString()));
            } else {
                answer.complete(message.path("result"));
            }
        }
        switch (message.path("method").asString("")) {
            case "Runtime.exceptionThrown" -> complaints.add(message.toString());
            case "Log.entryAdded" -> {
                var entry = message.path("params").path("entry");
                if (!entry.path("source").asString().equals("network")) {
                    complaints.add(entry.toString());
                }
            }
            default -> {}
        }
    }

    /** Collects the parts of a message. */
    private final class DevToolsListener implements WebSocket.Listener {
        private final StringBuilder parts = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
            parts.append(part);
            if (last) {
                heard(JSON.readTree(parts.toString()));
                parts.setLength(0);
            }
            socket.request(1);
            return CompletableFuture.completedStage(null);
        }
    }

    /** Also ends the helper processes, which write to the profile until then. */
    @Override
    public void close() throws InterruptedException {
        tab.abort();
        var all = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
        process.destroy();
        for (var each : all) {
            try {
                each.onExit().get(5, TimeUnit.SECONDS);
            } catch (TimeoutException | ExecutionException late) {
                each.destroyForcibly();
                each.onExit().join();
            }
        }
    }
}
