package dev.refrain.trials.crashes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.servers.KillableServer;
import dev.refrain.servers.MariadbServer;
import dev.refrain.servers.PostgresPair;
import dev.refrain.servers.PostgresServer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The database itself is killed under a load of flows, with completers on every instance, and started again or replaced by its synchronous
 * standby: nothing lost, nothing twice.
 */
class ServerKillsTest {

    private static final int KILLS = Integer.getInteger("refrain.crashes.server-kills", 4);
    private static final Duration SETTLED_WITHIN = Duration.ofMinutes(10);

    @Test
    void flowsEndOnceAlthoughTheDatabaseIsKilledUnderThem() throws Exception {
        try (var server =
                PostgresServer.builder().setting("max_connections", 100).start()) {
            flowsEndOnceAlthoughKilled(server, "PostgreSQL");
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "tests.stores", matches = "true", disabledReason = "needs MariaDB: -Pstores")
    void flowsEndOnceAlthoughMariadbIsKilledUnderThem() throws Exception {
        try (var server = MariadbServer.start()) {
            flowsEndOnceAlthoughKilled(server, "MariaDB");
        }
    }

    private static void flowsEndOnceAlthoughKilled(KillableServer server, String name) throws Exception {
        var database = new OrderDatabase(server.freshDatabase());
        database.createTables();
        try (var market = new OrderFlowLoad(database)) {
            market.open();
            for (int kill = 0; kill < KILLS; kill++) {
                awaitAMomentOf(market);
                server.killHard();
                server.restart();
            }
            requireAllOnce(market, KILLS + " kills of " + name);
        }
    }

    @Test
    void flowsEndOnceAlthoughAStandbyTakesOverUnderThem() throws Exception {
        try (var pair = PostgresPair.start(Map.of("max_connections", "100"))) {
            var database = new OrderDatabase(pair.freshDatabase());
            database.createTables();
            try (var market = new OrderFlowLoad(database)) {
                market.open();
                awaitAMomentOf(market);
                pair.failOver();
                await().atMost(SETTLED_WITHIN).until(market::isBusy);
                requireAllOnce(market, "the takeover by a standby");
            }
        }
    }

    private static void awaitAMomentOf(OrderFlowLoad market) throws InterruptedException {
        await().atMost(SETTLED_WITHIN).until(market::isBusy);
        // Not a hope: the moments of the kills are what is tried.
        Thread.sleep(ThreadLocalRandom.current().nextInt(400));
    }

    private static void requireAllOnce(OrderFlowLoad market, String trouble) throws Exception {
        market.sellNoMore();
        await().atMost(SETTLED_WITHIN).until(market::isSettled);

        assertThat(market.findings()).isEmpty();
        System.out.println(market.tally(trouble));
    }
}
