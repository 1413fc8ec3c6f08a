package dev.refrain.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Gateway in a process of its own, so that its memory is measured alone.
 *
 * <p>The process says its ports when it can be used; to each line it answers with the bytes of its heap that are in use.
 */
final class GatewaySubprocess implements AutoCloseable {

    /** Header with the tenant, of which there are several because each may have a thousand waiters. */
    static final String TENANT = "X-Tenant";

    /** Path of the protected route. */
    static final String PROTECTED = "/payments";

    private static final String CONFIG = """
            gateway:
              access-log: off
              scope:
                trusted-header: {header: %s, from: [127.0.0.1]}
            refrain:
              routes:
                slow:
                  match: POST %s
                  in-flight: wait 50s
                  upstream-timeout: 60s
                payments:
                  match: POST %s
                  store-timeout: 1s
            """.formatted(TENANT, BareUpstreamServer.SLOW, PROTECTED);

    private final Process process;
    private final BufferedReader said;
    private final int port;
    private final int adminPort;
    private final Duration startUp;

    /** @param store of SQLite, or of PostgreSQL with user and password in it */
    GatewaySubprocess(String upstream, String store) throws IOException {
        long began = System.nanoTime();
        var command = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        GatewaySubprocess.class.getName(),
                        upstream,
                        GatewayWithUpstream.withoutSecrets(store))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        command.environment().putAll(GatewayWithUpstream.secrets(store));
        process = command.start();
        said = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        port = Integer.parseInt(answer());
        adminPort = Integer.parseInt(answer());
        startUp = Duration.ofNanos(System.nanoTime() - began);
    }

    public static void main(String[] arguments) throws Exception {
        try (var gateway = GatewayWithUpstream.start(arguments[0], arguments[1], CONFIG, System.getenv())) {
            System.out.println(gateway.port());
            System.out.println(gateway.adminPort().orElseThrow());
            var asked = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            while (asked.readLine() != null) {
                System.out.println(HeapUsage.inUse());
            }
        }
    }

    int port() {
        return port;
    }

    /** Returns the time from the start of the process until it was ready. */
    Duration startUp() {
        return startUp;
    }

    /** Returns the number of requests that wait. */
    int waiting() throws IOException {
        int count = 0;
        try (var metrics =
                URI.create("http://127.0.0.1:" + adminPort + "/metrics").toURL().openStream()) {
            var lines = new String(metrics.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            for (var line : lines) {
                if (line.startsWith("refrain_claim_seconds_count") && line.contains("result=\"in_progress\"")) {
                    count += (int) Double.parseDouble(line.substring(line.lastIndexOf(' ')));
                }
            }
        }
        return count;
    }

    long heapInUse() throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
        return Long.parseLong(answer());
    }

    private String answer() throws IOException {
        String line = said.readLine();
        if (line == null) {
            throw new MeasurementFailedException("The gateway has ended.");
        }
        return line;
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        process.destroy();
    }
}
