package dev.refrain.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.crash.BrokenShop.Mistake;
import dev.refrain.crash.FlowApplication.Recovery;
import dev.refrain.crash.Report.Row;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The tool finds what is broken, names the boundary, and finds nothing where nothing is. */
class CrashMatrixTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource
    void aFlowSurvivesEveryCrashOnPostgres(Recovery recovery) throws Exception {
        var database = Shop.postgres();

        var report =
                CrashMatrix.of(() -> new FlowShop(database, recovery)).atOnce(4).run();

        report.requireSurvived();
        assertThat(report.rows())
                .extracting(Row::boundary)
                .contains("before sending charge", "after the reply of charge");
        assertThat(report.rows()).anyMatch(row -> row.boundary().matches("after COMMIT of .*INSERT orders.*"));
    }

    @ParameterizedTest
    @EnumSource
    void aFlowSurvivesEveryCrashOnSqlite(Recovery recovery) throws Exception {
        var template = directory.resolve("shop.db");
        Shop.sqlite(template);

        CrashMatrix.of(() -> new FlowShop(Shop.copied(template), recovery))
                .atOnce(4)
                .run()
                .requireSurvived();
    }

    @Test
    void whoChargesBeforeItRecordsIsToldWhereTheChargeDoubles() throws Exception {
        var database = Shop.postgres();

        var report = CrashMatrix.of(() -> new BrokenShop(database, Mistake.CHARGES_BEFORE_IT_RECORDS))
                .run();

        assertThat(report.broken())
                .extracting(Row::boundary)
                .containsExactly(
                        "after the reply of charge",
                        "before INSERT INTO orders VALUES (?, 'charged')",
                        "after INSERT INTO orders VALUES (?, 'charged')",
                        "before COMMIT of INSERT orders");
        assertThat(report.broken())
                .allSatisfy(row -> assertThat(row.findings()).containsExactly("charge doubled: 2 instead of 1"));
        assertThatThrownBy(report::requireSurvived)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("4 of 8 crashes were not survived")
                .hasMessageContaining("before COMMIT of INSERT orders")
                .hasMessageContaining("charge doubled");
    }

    @Test
    void whoRecordsBeforeItChargesIsToldWhereTheChargeIsLost() throws Exception {
        var database = Shop.sqlite(directory.resolve("shop.db"));

        var report = CrashMatrix.of(() -> new BrokenShop(database, Mistake.RECORDS_DONE_BEFORE_IT_CHARGES))
                .run();

        assertThat(report.broken())
                .extracting(Row::boundary)
                .containsExactly("after COMMIT of INSERT orders", "before sending charge");
        assertThat(report.broken())
                .allSatisfy(row -> assertThat(row.findings()).containsExactly("charge lost: 0 instead of 1"));
    }
}
