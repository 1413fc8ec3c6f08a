package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.pay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.gateway.internal.config.CommandLineOverrides;
import dev.refrain.gateway.internal.config.GatewayConfigReader;
import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.http.cases.RawHttpResponse;
import dev.refrain.http.edge.ContractAndStatusPaths;
import dev.refrain.metrics.MicrometerListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole gateway, with its store in a file and its pages for those who run it. */
class GatewayTest {

    private static final Pattern METER = Pattern.compile("refrain_[a-z_]+");
    private static final Pattern OF_APPLICATIONS = Pattern.compile("refrain_(outbox|ledger|trouble)_");

    @TempDir
    private Path folder;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private Gateway start(RawUpstream upstream, String yaml) throws Exception {
        var config = new GatewayConfigReader(
                        new CommandLineOverrides(
                                Optional.of(upstream.address()),
                                Optional.of("127.0.0.1:0"),
                                Optional.of("127.0.0.1:0"),
                                Optional.of("jdbc:sqlite:" + folder.resolve("keys.db"))),
                        Map.of())
                .read(GatewayUnderTest.scoped(yaml));
        return Gateway.start(config, Map.of(), line -> {});
    }

    private static RawHttpResponse send(int port, RawHttpRequest request) throws IOException {
        try (var wire = new RawHttpConnection(port)) {
            wire.send(request);
            return wire.receive();
        }
    }

    private static RawHttpResponse page(Gateway gateway, String path) throws IOException {
        return send(gateway.adminPort().orElseThrow(), RawHttpRequest.post(path).by("GET"));
    }

    @Test
    void answerOutlivesTheGatewayThatGaveIt() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"))) {
            try (var gateway = start(upstream, "")) {
                assertThat(send(gateway.port(), pay("one")).status()).isEqualTo(201);
            }
            try (var gateway = start(upstream, "")) {
                var again = send(gateway.port(), pay("one"));

                assertThat(again.replayed()).isTrue();
                assertThat(again.body()).isEqualTo("made");
            }
            assertThat(upstream.posts()).hasSize(1);
        }
    }

    @Test
    void twoGatewaysOnOneStoreSendAKeyOnce() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var one = start(upstream, "refrain: {http: {in-flight: wait 10s}}");
                var other = start(upstream, "refrain: {http: {in-flight: wait 10s}}")) {
            var answers = new ArrayList<Future<RawHttpResponse>>();
            for (int i = 0; i < 20; i++) {
                int port = i % 2 == 0 ? one.port() : other.port();
                answers.add(threads.submit(() -> send(port, pay("race"))));
            }
            for (var answer : answers) {
                assertThat(answer.get(1, TimeUnit.MINUTES).body()).isEqualTo("made");
            }
            assertThat(upstream.posts()).hasSize(1);
        }
    }

    @Test
    void twoApisOnOneStoreHaveKeysOfTheirOwnIfTheyHaveNames() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "paid"));
                var other = new RawUpstream(RawUpstream.answering(201, "booked"));
                var payments = start(upstream, "refrain: {namespace: payments}");
                var bookings = start(other, "refrain: {namespace: bookings}")) {
            assertThat(send(payments.port(), pay("one")).body()).isEqualTo("paid");

            assertThat(send(bookings.port(), pay("one")).body()).isEqualTo("booked");
            assertThat(send(payments.port(), pay("one")).replayed()).isTrue();
            assertThat(send(
                                    bookings.port(),
                                    RawHttpRequest.post(ContractAndStatusPaths.DEFAULT.status("one"))
                                            .by("GET"))
                            .body())
                    .isEqualTo("booked");
        }
    }

    /** A rule that asks for what nobody reports never fires. */
    @Test
    void metricsOfTheAlertsAndTheDashboardAreReported() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = start(upstream, "")) {
            send(gateway.port(), pay("one"));
            assertThat(page(gateway, "/live").status()).isEqualTo(200);
            assertThat(page(gateway, "/ready").body()).isEqualTo("ready\n");
            String metrics =
                    await().until(() -> page(gateway, "/metrics").body(), text -> text.contains("outcome=\"first\""));
            var reported = new TreeSet<>(
                    METER.matcher(metrics).results().map(r -> r.group()).toList());
            // There has been no failure to count.
            reported.add("refrain_store_failed_total");

            for (String file : new String[] {"alerts.yaml", "dashboard.json"}) {
                try (var in = MicrometerListener.class.getResourceAsStream(file)) {
                    String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                    assertThat(METER.matcher(text).results().map(r -> r.group()).distinct())
                            .as(file)
                            .filteredOn(name -> !OF_APPLICATIONS.matcher(name).lookingAt())
                            .isNotEmpty()
                            .isSubsetOf(reported);
                }
            }
        }
    }

    @Test
    void atAStopWhatIsUnderWayFinishes() throws Exception {
        var arrived = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        try (var upstream = new RawUpstream((request, socket) -> {
            arrived.countDown();
            go.await(20, TimeUnit.SECONDS);
            RawUpstream.answer(socket, 201, "made");
        })) {
            var gateway = start(upstream, "");
            var answer = threads.submit(() -> send(gateway.port(), pay("one")));
            assertThat(arrived.await(1, TimeUnit.MINUTES)).isTrue();
            int admin = gateway.adminPort().orElseThrow();
            var closing = threads.submit(() -> {
                gateway.close();
                return true;
            });
            await().until(() ->
                    send(admin, RawHttpRequest.post("/ready").by("GET")).status() == 503);
            go.countDown();

            assertThat(answer.get(1, TimeUnit.MINUTES).body()).isEqualTo("made");
            closing.get(1, TimeUnit.MINUTES);
            try (var again = start(upstream, "")) {
                assertThat(send(again.port(), pay("one")).replayed()).isTrue();
            }
            assertThat(upstream.posts()).hasSize(1);
        }
    }
}
