package dev.refrain.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.crash.BrokenShopTrial.Mistake;
import dev.refrain.crash.CrashReport.CrashResult;
import dev.refrain.crash.CrashableFlow.Recovery;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tool finds what is broken, names the boundary, and finds nothing where nothing is. */
class CrashMatrixTest {

    @TempDir
    Path directory;

    @Test
    void flowSurvivesEveryCrashOnPostgres() throws Exception {
        var database = ShopTrial.postgres();

        var rows = survived(recovery -> new FlowShopTrial(database, recovery), 0);

        assertThat(rows)
                .extracting(CrashResult::boundary)
                .contains("before sending charge", "after the reply of charge");
        assertThat(rows).anyMatch(row -> row.boundary().matches("after COMMIT of .*INSERT orders.*"));
    }

    @Test
    void flowSurvivesEveryCrashOnSqlite() throws Exception {
        var template = directory.resolve("shop.db");
        ShopTrial.sqlite(template);

        survived(recovery -> new FlowShopTrial(ShopTrial.copied(template), recovery), 1);
    }

    @FunctionalInterface
    private interface TrialFactory {
        FlowShopTrial make(Recovery recovery) throws Exception;
    }

    /**
     * Each boundary once on each database, in one of the two ways to recover, so that both databases together have each with both. They are told
     * apart by name: a lease that is renewed, or a waiter that is woken, in one run only moves the numbers.
     */
    private static List<CrashResult> survived(TrialFactory shops, int turn) throws Exception {
        var rows = new ArrayList<CrashResult>();
        for (var recovery : Recovery.values()) {
            var report = CrashMatrix.of(() -> shops.make(recovery))
                    .onlyNamed(name ->
                            Math.floorMod(name.hashCode() + turn, Recovery.values().length) == recovery.ordinal())
                    .concurrency(8)
                    .run();
            report.assertSurvived();
            rows.addAll(report.rows());
        }
        return rows;
    }

    @Test
    void chargeBeforeTheRecordIsReportedWhereItDoubles() throws Exception {
        var database = ShopTrial.postgres();

        var report = CrashMatrix.of(() -> new BrokenShopTrial(database, Mistake.CHARGES_BEFORE_IT_RECORDS))
                .run();

        assertThat(report.failures())
                .extracting(CrashResult::boundary)
                .containsExactly(
                        "after the reply of charge",
                        "before INSERT INTO orders VALUES (?, 'charged')",
                        "after INSERT INTO orders VALUES (?, 'charged')",
                        "before COMMIT of INSERT orders");
        assertThat(report.failures())
                .allSatisfy(row -> assertThat(row.findings()).containsExactly("charge doubled: 2 instead of 1"));
        assertThatThrownBy(report::assertSurvived)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("4 of 8 crashes were not survived")
                .hasMessageContaining("before COMMIT of INSERT orders")
                .hasMessageContaining("charge doubled");
    }

    @Test
    void chargeAfterTheRecordIsReportedWhereItIsLost() throws Exception {
        var database = ShopTrial.sqlite(directory.resolve("shop.db"));

        var report = CrashMatrix.of(() -> new BrokenShopTrial(database, Mistake.RECORDS_DONE_BEFORE_IT_CHARGES))
                .run();

        assertThat(report.failures())
                .extracting(CrashResult::boundary)
                .containsExactly("after COMMIT of INSERT orders", "before sending charge");
        assertThat(report.failures())
                .allSatisfy(row -> assertThat(row.findings()).containsExactly("charge lost: 0 instead of 1"));
    }
}
