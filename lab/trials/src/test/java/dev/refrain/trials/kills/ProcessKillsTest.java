package dev.refrain.trials.kills;

import dev.refrain.servers.KillableServer;
import dev.refrain.servers.LossyProxy;
import dev.refrain.servers.MariadbServer;
import dev.refrain.servers.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real processes on a real database, killed with SIGKILL at any moment while twins race for the same keys. Afterwards
 * nothing is doubled, lost, stuck or different.
 */
@EnabledOnOs(
        value = {OS.LINUX, OS.MAC},
        disabledReason = "There is no SIGKILL here")
class ProcessKillsTest {

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path folder;

    @Test
    void onPostgresEveryKeyTakesEffectOnceWhoeverIsKilled() throws Exception {
        everyKeyTakesEffectOnceWhoeverIsKilled("PostgreSQL", ProcessKillsTest::postgres);
    }

    @Test
    void onPostgresEveryKeyTakesEffectOnceAlsoWhenTheDatabaseItselfIsKilled() throws Exception {
        everyKeyTakesEffectOnceAlsoWhenTheDatabaseIsKilled("PostgreSQL", ProcessKillsTest::postgres);
    }

    @Test
    @EnabledIfSystemProperty(named = "tests.stores", matches = "true", disabledReason = "needs MariaDB: -Pstores")
    void onMariadbEveryKeyTakesEffectOnceWhoeverIsKilled() throws Exception {
        everyKeyTakesEffectOnceWhoeverIsKilled("MariaDB", MariadbServer::start);
    }

    @Test
    @EnabledIfSystemProperty(named = "tests.stores", matches = "true", disabledReason = "needs MariaDB: -Pstores")
    void onMariadbEveryKeyTakesEffectOnceAlsoWhenTheDatabaseItselfIsKilled() throws Exception {
        everyKeyTakesEffectOnceAlsoWhenTheDatabaseIsKilled("MariaDB", MariadbServer::start);
    }

    /** Meanwhile somebody holds locks of rows for seconds, and the network falls silent. */
    private void everyKeyTakesEffectOnceWhoeverIsKilled(String database, Supplier<KillableServer> start)
            throws Exception {
        TrialRounds.run(Duration.ofSeconds(8), (length, seed) -> {
            try (var server = start.get()) {
                String url = server.freshDatabase();
                try (var network = new LossyProxy(LossyProxy.port(url))) {
                    Path own = Files.createDirectory(folder.resolve(database + "-" + seed));
                    return new KillTrial(
                                    "Processes killed, rows locked, network silent, on " + database,
                                    launcher(server, own),
                                    new TrialDatabase(LossyProxy.through(url, network)),
                                    Optional.empty(),
                                    Optional.of(network),
                                    length,
                                    seed)
                            .run(own);
                }
            }
        });
    }

    private void everyKeyTakesEffectOnceAlsoWhenTheDatabaseIsKilled(String database, Supplier<KillableServer> start)
            throws Exception {
        TrialRounds.run(Duration.ofSeconds(8), (length, seed) -> {
            try (var server = start.get()) {
                Path own = Files.createDirectory(folder.resolve(database + "-killed-" + seed));
                return new KillTrial(
                                "Processes and database killed, on " + database,
                                launcher(server, own),
                                new TrialDatabase(server.freshDatabase()),
                                Optional.of(server),
                                Optional.empty(),
                                length,
                                seed)
                        .run(own);
            }
        });
    }

    @Test
    void onSqliteEveryKeyTakesEffectOnceWhoeverIsKilled() throws Exception {
        TrialRounds.run(Duration.ofSeconds(8), (length, seed) -> {
            Path own = Files.createDirectory(folder.resolve("sqlite-" + seed));
            var launcher = ChildJvmLauncher.trainedOn(TrialDatabase.sqlite(own.resolve("scratch.db")), own);
            var place = TrialDatabase.sqlite(own.resolve("keys.db"));
            return new KillTrial(
                            "Processes killed, on SQLite",
                            launcher,
                            place,
                            Optional.empty(),
                            Optional.empty(),
                            length,
                            seed)
                    .run(own);
        });
    }

    /** Starts a server of our own, never the user's, which is not ours to kill or to fill. */
    private static KillableServer postgres() {
        return PostgresServer.builder().setting("max_connections", 200).start();
    }

    private static ChildJvmLauncher launcher(KillableServer server, Path folder) throws Exception {
        return ChildJvmLauncher.trainedOn(new TrialDatabase(server.freshDatabase()), folder);
    }
}
