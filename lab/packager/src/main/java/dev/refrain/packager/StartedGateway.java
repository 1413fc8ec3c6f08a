package dev.refrain.packager;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Gateway that was started as users start it, in front of a small service, and what has to hold of it. */
final class StartedGateway implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** Starts the process, which listens where the configuration says. */
    interface Launcher {
        Process start(Path config, Path log) throws IOException;
    }

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final HttpServer service;
    private final AtomicInteger runs = new AtomicInteger();
    private final CountDownLatch slowArrived = new CountDownLatch(1);
    private final CountDownLatch slowMayEnd = new CountDownLatch(1);
    private final int port = freePort();
    private final int admin = freePort();
    private final Path log;
    private final Process process;
    private final Duration startTime;

    /** @param folder where the configuration and the log are written */
    StartedGateway(Path folder, Launcher launcher) throws Exception {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        service.createContext("/payments", exchange -> answer(exchange, "payment " + runs.incrementAndGet()));
        service.createContext("/slow", exchange -> {
            slowArrived.countDown();
            await(slowMayEnd);
            answer(exchange, "late");
        });
        service.start();
        Path config = Files.createDirectories(folder.resolve("config")).resolve("gateway.yaml");
        Files.writeString(
                config, """
                gateway:
                  listen: 127.0.0.1:%d
                  admin: 127.0.0.1:%d
                  upstream: http://127.0.0.1:%d
                  scope: shared
                """.formatted(port, admin, service.getAddress().getPort()));
        log = folder.resolve("gateway.log");
        long begun = System.nanoTime();
        process = launcher.start(config, log);
        try {
            awaitReady();
        } catch (Exception | Error failed) {
            close();
            throw failed;
        }
        startTime = Duration.ofNanos(System.nanoTime() - begun);
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        exchange.getRequestBody().readAllBytes();
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(201, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static void await(CountDownLatch latch) {
        try {
            require(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS), "nothing happened within " + PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitReady() throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (statusOf("/ready").orElse(0) != 200) {
            require(
                    process.isAlive(),
                    "the gateway ended with " + (process.isAlive() ? "" : process.exitValue()) + ":\n" + said());
            require(System.nanoTime() < end, "the gateway was not ready within " + PATIENCE + ":\n" + said());
            Thread.sleep(20);
        }
    }

    /** Returns the status of an admin page, or nothing if nobody answers. */
    private Optional<Integer> statusOf(String page) throws InterruptedException {
        try {
            return Optional.of(client.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + admin + page))
                                    .timeout(Duration.ofSeconds(10))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .statusCode());
        } catch (IOException noAnswer) {
            return Optional.empty();
        }
    }

    private HttpRequest request(String path, String key) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Idempotency-Key", "\"" + key + "\"")
                .timeout(PATIENCE)
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
    }

    int adminPort() {
        return admin;
    }

    /** Returns the process of Java itself, which may be started by others. */
    ProcessHandle java() {
        return process.descendants()
                .filter(child -> child.children().findAny().isEmpty())
                .findFirst()
                .orElse(process.toHandle());
    }

    Duration startTime() {
        return startTime;
    }

    String said() throws IOException {
        return Files.readString(log);
    }

    /** Sends a request twice with one key: it reaches the service once, and the second response is a replay. */
    void checkReplay() throws Exception {
        var first = client.send(request("/payments", "order-1"), HttpResponse.BodyHandlers.ofString());
        var second = client.send(request("/payments", "order-1"), HttpResponse.BodyHandlers.ofString());
        require(
                first.statusCode() == 201 && first.body().equals("payment 1"),
                "the first response is " + first.statusCode());
        require(second.body().equals(first.body()) && second.statusCode() == 201, "the replay is " + second.body());
        require(second.headers().firstValue("Idempotent-Replayed").isPresent(), "the replay is not marked");
        require(runs.get() == 1, "the service ran " + runs + " times");
        require(!said().contains("Console listening"), "the console is on");
    }

    /** Stops the gateway while a request is under way: it gets its response, later ones are refused, and the process ends with the code of SIGTERM. */
    void checkDrain() throws Exception {
        var slow = client.sendAsync(request("/slow", "order-2"), HttpResponse.BodyHandlers.ofString());
        await(slowArrived);
        require(java().destroy(), "SIGTERM could not be sent");
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (statusOf("/ready").orElse(503) == 200) {
            require(System.nanoTime() < end, "the gateway stays ready after SIGTERM");
            Thread.sleep(20);
        }
        require(process.isAlive(), "the gateway did not wait for a request under way");
        require(isRefused(request("/payments", "order-3")), "a request after SIGTERM was accepted");
        slowMayEnd.countDown();
        var late = slow.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        require(
                late.statusCode() == 201 && late.body().equals("late"),
                "the request under way got " + late.statusCode());
        require(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), "the gateway did not end");
        require(process.exitValue() == 143, "the exit code is " + process.exitValue() + ", not 143");
        require(!said().contains("did not shut down cleanly"), said());
    }

    private boolean isRefused(HttpRequest request) throws InterruptedException {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode() == 503 && runs.get() == 1;
        } catch (IOException refused) {
            return true;
        }
    }

    static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new PackagingException(otherwise);
        }
    }

    @Override
    public void close() {
        slowMayEnd.countDown();
        service.stop(0);
        if (process.isAlive()) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
