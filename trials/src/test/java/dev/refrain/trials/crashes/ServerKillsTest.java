package dev.refrain.trials.crashes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.servers.PostgresServer;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** The database itself is killed and started again under a load of flows, with completers on every instance: nothing lost, nothing twice. */
class ServerKillsTest {

    private static final int KILLS = Integer.getInteger("refrain.crashes.server-kills", 4);
    private static final Duration SETTLED_WITHIN = Duration.ofMinutes(3);

    @Test
    void flowsEndOnceAlthoughTheDatabaseIsKilledUnderThem() throws Exception {
        try (var server =
                PostgresServer.builder().setting("max_connections", 100).start()) {
            var database = new Database(server.freshDatabase());
            database.createTables();
            try (var market = new Market(database)) {
                market.open();
                for (int kill = 0; kill < KILLS; kill++) {
                    await().atMost(SETTLED_WITHIN).until(market::isBusy);
                    // Not a hope: the moments of the kills are what is tried.
                    Thread.sleep(ThreadLocalRandom.current().nextInt(400));
                    server.killHard();
                    server.restart();
                }
                market.sellNoMore();
                await().atMost(SETTLED_WITHIN).until(market::isSettled);

                assertThat(market.findings()).isEmpty();
                System.out.println(market.tally(KILLS));
            }
        }
    }
}
