package dev.refrain.trials.crashes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.crash.CrashMatrix;
import dev.refrain.crash.CrashReport;
import dev.refrain.crash.CrashableFlow.Recovery;
import dev.refrain.crash.ForkedProcessTrial;
import dev.refrain.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The crash matrix: the process of an order is killed with SIGKILL at every boundary, and there is one order, one charge, one receipt, one
 * answer; with a provider that knows no keys at most one charge, and the reconciler finds each whose end is not known, and no other. A
 * normal build tries every other boundary once on each database, the long profile each with every charge and every recovery.
 */
@EnabledOnOs(
        value = {OS.LINUX, OS.MAC},
        disabledReason = "There is no SIGKILL here")
class CrashMatrixTest {

    /** Variant that is tried at the boundaries. */
    private record Way(ChargeScenario charge, Recovery recovery, boolean blind) {

        /** Returns all variants. A provider without keys that declines is no other case than one that answers. */
        static List<Way> all() {
            var ways = new ArrayList<Way>();
            for (var recovery : Recovery.values()) {
                for (var charge : ChargeScenario.values()) {
                    ways.add(new Way(charge, recovery, false));
                }
                ways.add(new Way(ChargeScenario.SUCCEEDS, recovery, true));
                ways.add(new Way(ChargeScenario.REPLY_LOST, recovery, true));
            }
            return ways;
        }
    }

    private static final int AT_ONCE = Integer.getInteger("refrain.crashes.at-once", 3);

    /** Variants that run at once; each waits for leases most of its time. */
    private static final int WAYS_AT_ONCE = 3;

    @TempDir
    private Path folder;

    private ChildJvm provider;
    private int port;

    @BeforeEach
    void startProvider() throws IOException {
        provider = ChildJvm.start(PaymentProvider.class, List.of());
        port = Integer.parseInt(provider.said());
    }

    @AfterEach
    void endProvider() {
        provider.end();
    }

    @Test
    void onPostgresNoCrashDoublesOrLosesAnything() throws Exception {
        var database = new OrderDatabase(PostgresServer.shared().freshDatabase());
        database.createTables();
        survivesAll("PostgreSQL", 0, () -> database);
    }

    @Test
    void onSqliteNoCrashDoublesOrLosesAnything() throws Exception {
        Path empty = folder.resolve("empty.db");
        new OrderDatabase("jdbc:sqlite:" + empty).createTables();
        survivesAll(
                "SQLite",
                1,
                () -> new OrderDatabase("jdbc:sqlite:" + Files.copy(empty, folder.resolve(UUID.randomUUID() + ".db"))));
    }

    /** Both sides of the call, in every build: not sent, and sent with an outcome that only the provider knows. */
    @Test
    void callThatCannotBeRepeatedIsFoundByTheReconcilerWhereItHappenedAndWhereNot() throws Exception {
        var database = new OrderDatabase(PostgresServer.shared().freshDatabase());
        database.createTables();
        var report = matrix(new Way(ChargeScenario.SUCCEEDS, Recovery.COMPLETER, true), () -> database)
                .onlyNamed(boundary -> boundary.endsWith(" charge"))
                .run();
        assertThat(report.failures()).isEmpty();
        assertThat(killed(report.rows())).isEqualTo(3);
    }

    /** @param parity of the boundaries that a normal build tries */
    private void survivesAll(String name, int parity, Callable<OrderDatabase> databases) throws Exception {
        var ways = Way.all();
        var rows = new ArrayList<CrashReport.CrashResult>();
        try (var threads = Executors.newFixedThreadPool(WAYS_AT_ONCE)) {
            var reports = new LinkedHashMap<Way, Future<CrashReport>>();
            for (var way : ways) {
                reports.put(
                        way,
                        threads.submit(
                                matrix(way, databases)
                                        .only(number -> Boolean.getBoolean("tests.long")
                                                || (number % 2 == parity
                                                        && number / 2 % ways.size() == ways.indexOf(way)))::run));
            }
            for (var report : reports.entrySet()) {
                var found = report.getValue().get();
                assertThat(found.failures()).as("%s, %s", name, report.getKey()).isEmpty();
                rows.addAll(found.rows());
                System.out.printf(
                        "Crash matrix on %s, %s: %d kills survived%n", name, report.getKey(), killed(found.rows()));
            }
        }
        System.out.printf("Crash matrix on %s: %d kills, all survived%n", name, killed(rows));
        assertThat(killed(rows)).isGreaterThan(rows.size() / 2);
    }

    private CrashMatrix<ForkedProcessTrial> matrix(Way way, Callable<OrderDatabase> databases) {
        return CrashMatrix.ofProcesses(
                        OrdersProgram.class,
                        () -> new OrderTrial(
                                databases.call(),
                                port,
                                UUID.randomUUID().toString(),
                                way.charge(),
                                way.recovery(),
                                way.blind()))
                .concurrency(AT_ONCE);
    }

    private static long killed(List<CrashReport.CrashResult> rows) {
        return rows.stream().filter(CrashReport.CrashResult::reached).count();
    }
}
