package dev.refrain.trials.crashes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Relays, each in a JVM of its own, are killed with SIGKILL under load and started again. What was staged arrives: at a handler once, at a
 * service that goes by keys with one effect, in order where that was asked for; what was rolled back never.
 */
@EnabledOnOs(
        value = {OS.LINUX, OS.MAC},
        disabledReason = "There is no SIGKILL here")
class RelayKillsTest {

    private static final boolean LONG = Boolean.getBoolean("tests.long");
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** Minimum number of deliveries between two kills. */
    private static final int BUSY = 50;

    @TempDir
    private Path folder;

    private final List<ChildJvm> relays = new ArrayList<>();

    @Test
    void onPostgresNothingIsLostDoubledOrOutOfOrder() throws Exception {
        var database = new OrderDatabase(PostgresServer.shared().freshDatabase());
        survives("PostgreSQL", database, 3, LONG ? 60 : 3);
    }

    @Test
    void onSqliteNothingIsLostDoubledOrOutOfOrder() throws Exception {
        var database = new OrderDatabase("jdbc:sqlite:" + folder.resolve("outbox.db") + "?busy_timeout=30000");
        survives("SQLite", database, 2, LONG ? 20 : 1);
    }

    private void survives(String name, OrderDatabase database, int atOnce, int kills) throws Exception {
        database.createTables();
        try (var postings = new MessageStagingLoad(database);
                var receiver = new WebhookReceiver(postings::arrived)) {
            for (int i = 0; i < atOnce; i++) {
                relays.add(start(database, receiver));
            }
            postings.begin();
            for (int kill = 0; kill < kills; kill++) {
                awaitAMomentOf(receiver);
                int doomed = ThreadLocalRandom.current().nextInt(atOnce);
                relays.get(doomed).kill();
                relays.set(doomed, start(database, receiver));
            }
            var staged = postings.end();
            await().atMost(PATIENCE).until(postings::isDelivered);

            assertThat(postings.outbox().deadLetters(null, 10)).isEmpty();
            requireOnceAndInOrder(staged, receiver, receipts(database));
            System.out.printf(
                    "Relays on %s under %d kills: %d staged of each topic, all arrived; %d came again and had no second effect%n",
                    name, kills, staged.stream().mapToInt(List::size).sum(), receiver.again());
        } finally {
            relays.forEach(ChildJvm::end);
        }
    }

    private static ChildJvm start(OrderDatabase database, WebhookReceiver receiver) throws IOException {
        return ChildJvm.start(
                RelayProgram.class,
                List.of(
                        database.url(),
                        receiver.at(RelayProgram.WEBHOOKS).toString(),
                        receiver.at(RelayProgram.STATEMENTS).toString()));
    }

    private static void awaitAMomentOf(WebhookReceiver receiver) throws InterruptedException {
        int before = receiver.effects(RelayProgram.WEBHOOKS).size();
        await().atMost(PATIENCE)
                .until(() -> receiver.effects(RelayProgram.WEBHOOKS).size() >= before + BUSY);
        // Not a hope: the moments of the kills are what is tried.
        Thread.sleep(ThreadLocalRandom.current().nextInt(200));
    }

    private static void requireOnceAndInOrder(
            List<List<String>> staged, WebhookReceiver receiver, List<String> receipts) {
        var all = sorted(staged.stream().flatMap(List::stream).toList());
        assertThat(sorted(receiver.effects(RelayProgram.WEBHOOKS))).isEqualTo(all);
        assertThat(sorted(receipts)).isEqualTo(all);
        var statements = receiver.effects(RelayProgram.STATEMENTS);
        assertThat(sorted(statements)).isEqualTo(all);
        assertThat(staged).allSatisfy(ofOne -> {
            var customer = ofOne.getFirst().split(" ")[0] + " ";
            assertThat(statements).filteredOn(body -> body.startsWith(customer)).isEqualTo(ofOne);
        });
    }

    private static List<String> sorted(List<String> bodies) {
        return bodies.stream().sorted().toList();
    }

    private static List<String> receipts(OrderDatabase database) throws SQLException {
        try (var connection = DriverManager.getConnection(database.url());
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT id FROM receipts")) {
            var ids = new ArrayList<String>();
            while (rows.next()) {
                ids.add(rows.getString(1));
            }
            return ids;
        }
    }
}
