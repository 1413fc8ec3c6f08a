package dev.refrain.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.observe.RefrainEvent;
import dev.refrain.outbox.DeliveryRefusedException;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each alert rule fires over the metrics of an application in its trouble, and no other does. A round stands for a minute. */
class ApplicationAlertsTest {

    private static final int ROUNDS = 8;
    private static final Pattern METER = Pattern.compile("refrain_[a-z_]+");
    private static final Pattern GROUPED = Pattern.compile("by \\((\\w+)[^)]*\\) \\(\\w*\\(?(refrain_[a-z_]+)");

    @TempDir
    private Path folder;

    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final CountDownLatch never = new CountDownLatch(1);

    /** A trouble of an application, the event that shows a round of it, and the alerts that have to fire. */
    enum AlertScenario {
        NONE(RefrainEvent.LedgerRead.class),
        POISON(RefrainEvent.LedgerRead.class, "RefrainDeadLetters"),
        HANGING_TARGET(RefrainEvent.LedgerRead.class, "RefrainRelayLag"),
        NOBODY_DELIVERS(RefrainEvent.LedgerRead.class, "RefrainOutboxOld"),
        BROKEN_PHASE(RefrainEvent.LedgerRead.class, "RefrainCompleterFailing"),
        GIVEN_UP(RefrainEvent.LedgerRead.class, "RefrainAttention"),
        SLOW_SAGA(RefrainEvent.Overdue.class, "RefrainSagasOverdue"),
        LOST_AT_THE_BANK(RefrainEvent.LedgerRead.class, "RefrainLedgerDiffers"),
        BANK_AWAY(RefrainEvent.LedgerReadFailed.class, "RefrainLedgerUnread");

        private final Class<? extends RefrainEvent> sign;
        private final Set<String> told;

        AlertScenario(Class<? extends RefrainEvent> sign, String... told) {
            this.sign = sign;
            this.told = Set.of(told);
        }

        int attempts() {
            return this == GIVEN_UP ? 1 : 10;
        }
    }

    @ParameterizedTest
    @EnumSource
    @EnabledIfSystemProperty(named = "tests.alerts", matches = "true", disabledReason = "It needs promtool: -Palerts")
    void alertsOfTheTroubleFireAndNoOthers(AlertScenario trouble) throws Exception {
        var promtool = Promtool.onPath();
        var scrapes = new ArrayList<PrometheusScrape>();
        try (var shop = new MonitoredShop(folder, meters, trouble.attempts())) {
            begin(trouble, shop);
            for (int minute = 0; minute < ROUNDS; minute++) {
                happen(trouble, shop, "order-" + minute);
                seen(shop, RefrainEvent.BacklogMeasured.class);
                seen(shop, trouble.sign);
                scrapes.add(PrometheusScrape.of(meters.scrape()));
            }
            never.countDown();
        }
        promtool.assertFiring(scrapes, trouble.told, folder);
    }

    private void begin(AlertScenario trouble, MonitoredShop shop) throws Exception {
        switch (trouble) {
            case POISON -> {
                shop.receipts = delivery -> {
                    throw DeliveryRefusedException.permanent("no such customer");
                };
                shop.order("for-nobody");
                until(() -> shop.heard(RefrainEvent.DeadLettered.class).get() > 0);
            }
            case HANGING_TARGET -> {
                var arrived = new CountDownLatch(1);
                shop.receipts = delivery -> {
                    arrived.countDown();
                    never.await();
                };
                shop.stage("receipts");
                arrived.await();
                shop.stage("receipts");
                shop.backdate("refrain_outbox", "due_at", Duration.ofMinutes(2));
            }
            case NOBODY_DELIVERS -> {
                shop.stage("invoices");
                shop.backdate("refrain_outbox", "staged_at", Duration.ofMinutes(20));
            }
            case GIVEN_UP -> {
                leave(shop, "lost");
                shop.completeAbandoned();
                until(() -> shop.heard(RefrainEvent.Swept.class).get() > 0);
            }
            case SLOW_SAGA -> {
                shop.shipped = false;
                shop.ship("late");
                shop.backdate("refrain_record", "claimed_at", Duration.ofMinutes(10));
            }
            case LOST_AT_THE_BANK -> {
                shop.bankForgets = true;
                shop.order("lost");
            }
            case BANK_AWAY -> shop.bankAway = true;
            case NONE, BROKEN_PHASE -> {}
        }
    }

    /** Happens in each minute. */
    private static void happen(AlertScenario trouble, MonitoredShop shop, String id) throws Exception {
        switch (trouble) {
            case NONE -> {
                shop.order(id);
                shop.ship(id);
                until(() -> shop.heard(RefrainEvent.Delivered.class).get() > 0);
            }
            case BROKEN_PHASE -> leave(shop, id);
            default -> {}
        }
    }

    /** Its caller leaves it, and it cannot be finished either. */
    private static void leave(MonitoredShop shop, String id) {
        long before = shop.heard(RefrainEvent.AttemptFailed.class).get();
        shop.abandon(id);
        until(() -> shop.heard(RefrainEvent.AttemptFailed.class).get() > before);
    }

    /** By one who began to look before now, and by one who did not. */
    private static void seen(MonitoredShop shop, Class<? extends RefrainEvent> sign) {
        long before = shop.heard(sign).get();
        until(() -> shop.heard(sign).get() >= before + 2);
    }

    private static void until(Callable<Boolean> seen) {
        Awaitility.with()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .atMost(Duration.ofMinutes(1))
                .until(seen);
    }

    @Test
    void everyRuleForApplicationsFiresInSomeTrouble() throws Exception {
        var told = Arrays.stream(AlertScenario.values())
                .flatMap(trouble -> trouble.told.stream())
                .toList();

        assertThat(AlertRule.all())
                .filteredOn(rule -> rule.group().equals("refrain-flows"))
                .extracting(AlertRule::name)
                .isSubsetOf(told);
    }

    @Test
    void metricsOfRulesAndDashboardAreExported() throws Exception {
        String reported;
        try (var shop = new MonitoredShop(folder, meters, 10)) {
            leave(shop, "broken");
            shop.broken = false;
            shop.order("good");
            until(() -> shop.heard(RefrainEvent.Delivered.class).get() > 0
                    && shop.heard(RefrainEvent.BacklogMeasured.class).get() > 0
                    && shop.heard(RefrainEvent.LedgerRead.class).get() > 0);
            reported = meters.scrape();
        }
        var scrape = PrometheusScrape.of(reported);
        assertThat(AlertRule.all())
                .filteredOn(rule -> rule.group().equals("refrain-flows"))
                .isNotEmpty()
                .allSatisfy(rule -> rule.assertExportedBy(scrape));
        try (var in = MicrometerListener.class.getResourceAsStream("dashboard.json")) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(METER.matcher(text).results().map(r -> r.group()).distinct())
                    .filteredOn(name -> !name.startsWith("refrain_gateway_"))
                    // There has been nothing of the kind to count.
                    .filteredOn(name -> !Set.of("refrain_store_failed_total", "refrain_outbox_put_off_total")
                            .contains(name))
                    .allSatisfy(name -> assertThat(reported).contains(name));
            assertThat(GROUPED.matcher(text).results())
                    .filteredOn(grouped -> reported.contains(grouped.group(2) + "{"))
                    .hasSizeGreaterThan(5)
                    .allSatisfy(grouped -> assertThat(reported)
                            .containsPattern(grouped.group(2) + "\\{[^}]*\\b" + grouped.group(1) + "=\""));
        }
    }
}
