package dev.refrain.spring;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/** A fresh Spring service with a database, as a new user writes it: one class of handlers, and settings. */
record StartTestApplication(ConfigurableApplicationContext context) implements AutoCloseable {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    /** What the web server logs of a start that fails while it is starting: the failure once more, and threads that are still there. */
    static final String[] SERVER_NOISE = {"Error starting Tomcat context", "appears to have started a thread"};

    @EnableAutoConfiguration
    static class Application {}

    static StartTestApplication start(String url, List<String> settings, Class<?>... parts) {
        return start(WebApplicationType.SERVLET, url, settings, parts);
    }

    static StartTestApplication start(WebApplicationType type, String url, List<String> settings, Class<?>... parts) {
        var application = new SpringApplication(Application.class);
        application.setWebApplicationType(type);
        application.addPrimarySources(Arrays.asList(parts));
        var arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--refrain.scope=shared",
                "--spring.main.banner-mode=off",
                "--spring.datasource.url=" + url));
        settings.forEach(setting -> arguments.add("--" + setting));
        return new StartTestApplication(application.run(arguments.toArray(String[]::new)));
    }

    HttpResponse<String> post(String path, String key, String body) throws IOException, InterruptedException {
        int port = ServerPort.of(context);
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .header("Idempotency-Key", '"' + key + '"')
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        context.close();
    }
}
