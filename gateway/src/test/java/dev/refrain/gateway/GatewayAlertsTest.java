package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.pay;
import static dev.refrain.gateway.GatewayUnderTest.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.metrics.AlertRule;
import dev.refrain.metrics.PrometheusScrape;
import dev.refrain.metrics.Promtool;
import dev.refrain.store.StoreException;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each alert rule fires over the metrics of a gateway in its trouble, and no other does. A round stands for a minute. */
class GatewayAlertsTest {

    private static final int ROUNDS = 14;

    @TempDir
    private Path folder;

    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final CountDownLatch never = new CountDownLatch(1);
    private volatile Duration ahead = Duration.ZERO;
    private volatile boolean away;

    /** A trouble of a gateway, and the alerts that have to fire. */
    enum Trouble {
        NONE,
        SILENT_SERVICE("RefrainAttention"),
        SERVICE_AWAY("RefrainUpstreamAway"),
        KEYS_USED_AGAIN("RefrainMismatches"),
        IMPATIENT_CLIENTS("RefrainConflicts"),
        ABANDONED("RefrainOldestInProgress", "RefrainLeaseOver"),
        NOBODY_REAPS("RefrainReaperBehind"),
        STORE_AWAY("RefrainStoreFailing");

        private final Set<String> told;

        Trouble(String... told) {
            this.told = Set.of(told);
        }

        /** Returns the patience with the store: short where every request waits for it in vain, long elsewhere. */
        String patience() {
            return this == STORE_AWAY ? "100ms" : "30s";
        }
    }

    private Instant clock() {
        if (away) {
            throw StoreException.unavailable("It is away.", StoreException.Effect.NONE, null);
        }
        return Instant.now().plus(ahead);
    }

    @ParameterizedTest
    @EnumSource
    @EnabledIfSystemProperty(named = "tests.alerts", matches = "true", disabledReason = "It needs promtool: -Palerts")
    void alertsOfTheTroubleFireAndNoOthers(Trouble trouble) throws Exception {
        var promtool = Promtool.onPath();
        var scrapes = new ArrayList<PrometheusScrape>();
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = GatewayUnderTest.observed(
                        this::clock, meters, upstream.address(), route("store-timeout: " + trouble.patience()))) {
            gateway.send(pay("made-before"));
            begin(trouble, upstream, gateway);
            for (int minute = 0; minute < ROUNDS; minute++) {
                happen(trouble, gateway);
                scrapes.add(PrometheusScrape.of(meters.scrape()));
            }
            never.countDown();
        }
        promtool.assertFiring(scrapes, trouble.told, folder);
    }

    private void begin(Trouble trouble, RawUpstream upstream, GatewayUnderTest gateway) throws Exception {
        switch (trouble) {
            case SILENT_SERVICE -> {
                upstream.from((request, socket) -> socket.close());
                gateway.send(pay("not-answered"));
            }
            case SERVICE_AWAY -> {
                upstream.close();
                // On the connection that was kept, so that the next request needs a new one.
                gateway.send(RawHttpRequest.post("/").by("GET"));
            }
            case IMPATIENT_CLIENTS, ABANDONED -> {
                var arrived = new CountDownLatch(1);
                upstream.from((request, socket) -> {
                    arrived.countDown();
                    never.await();
                    socket.close();
                });
                Thread.startVirtualThread(() -> {
                    try {
                        gateway.send(pay("long"));
                    } catch (java.io.IOException over) {
                        // The gateway was closed.
                    }
                });
                arrived.await();
                // Nobody has renewed its lease for that long.
                ahead = trouble == Trouble.ABANDONED ? Duration.ofMinutes(10) : Duration.ZERO;
            }
            // Longer than records are kept.
            case NOBODY_REAPS -> ahead = Duration.ofDays(2);
            default -> {}
        }
        away = trouble == Trouble.STORE_AWAY;
    }

    /** Happens in each minute. */
    private void happen(Trouble trouble, GatewayUnderTest gateway) throws Exception {
        switch (trouble) {
            case NONE -> {
                String key = UUID.randomUUID().toString();
                gateway.send(pay(key));
                gateway.send(pay(key));
                gateway.send(RawHttpRequest.post("/").by("GET"));
            }
            case KEYS_USED_AGAIN -> gateway.send(pay("made-before").json("{\"amount\":2}"));
            case IMPATIENT_CLIENTS -> gateway.send(pay("long"));
            case SERVICE_AWAY, STORE_AWAY -> gateway.send(pay(UUID.randomUUID().toString()));
            case SILENT_SERVICE, ABANDONED, NOBODY_REAPS -> {}
        }
    }

    @Test
    void metricsOfTheRulesAreExported() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = GatewayUnderTest.observed(
                        this::clock, meters, upstream.address(), route("store-timeout: 100ms"))) {
            // Its patience is short because the store is away soon; a slow machine may need more than one attempt.
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> gateway.send(pay("made")).status() == 201);
            away = true;
            gateway.send(pay("refused"));
            away = false;
            var scrape = PrometheusScrape.of(meters.scrape());

            assertThat(AlertRule.all())
                    .filteredOn(rule -> !rule.group().equals("refrain-flows"))
                    .isNotEmpty()
                    .allSatisfy(rule -> rule.assertExportedBy(scrape));
        }
    }

    @Test
    void everyRuleForGatewaysFiresInSomeTrouble() throws Exception {
        var told = Arrays.stream(Trouble.values())
                .flatMap(trouble -> trouble.told.stream())
                .toList();

        assertThat(AlertRule.all())
                .filteredOn(rule -> !rule.group().equals("refrain-flows"))
                .extracting(AlertRule::name)
                .containsExactlyInAnyOrderElementsOf(told);
    }
}
