package dev.refrain.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoScriptTest {

    private static final String ONE = "1 charge";
    private static final String RECEIPT = "1 receipt";

    @TempDir
    private Path folder;

    @Test
    void everyScenarioChargesOnceWithProtectionAndFailsWithout() throws Exception {
        var out = new StringWriter();
        var progress = new StringWriter();

        boolean good = DemoScript.run(folder, new PrintWriter(out), new PrintWriter(progress));

        assertThat(out.toString().lines().map(DemoScriptTest::firstCells))
                .contains(
                        List.of(DemoScenario.CLICKS.title(), ONE, RECEIPT, "201 ×3", "3 charges"),
                        List.of(DemoScenario.HANG_UP.title(), ONE, RECEIPT, "no response, 201", "2 charges"),
                        List.of(DemoScenario.LOST.title(), ONE, RECEIPT, "503, 201", "2 charges"),
                        List.of(DemoScenario.KILL.title(), ONE, RECEIPT, "no response", "1 charge"),
                        List.of(DemoScenario.AMOUNT.title(), ONE, RECEIPT, "201, 422", "2 charges"),
                        List.of(DemoScenario.CROWD.title(), ONE, RECEIPT, "201 ×100", "100 charges"));
        assertThat(out.toString())
                .containsPattern(DemoScenario.KILL.title() + ".*1 charge +no receipt +no response")
                .contains("With protection, nothing was charged twice and nothing was lost.");
        assertThat(good).isTrue();
        assertThat(progress.toString().lines()).hasSize(1 + DemoScenario.values().length);
        assertThat(folder).as("what it left behind").isEmptyDirectory();
    }

    private static List<String> firstCells(String line) {
        return Stream.of(line.split(" {2,}", -1)).limit(5).toList();
    }

    @Test
    void verdictNamesViolations() {
        var order = new ShopOrder("clicks-1", 1200);
        var charge = new BankCharge("ch_1", order, "");
        var responses = List.of(new ShopResponse(201, "a"), new ShopResponse(201, "a"), new ShopResponse(201, "a"));

        assertThat(verdict(new ScenarioVariantResult(order, responses, List.of(charge), 1)))
                .isEqualTo("With protection, nothing was charged twice and nothing was lost.");
        assertThat(verdict(new ScenarioVariantResult(order, responses, List.of(charge, charge), 2)))
                .isEqualTo("FAILED with protection: Pay button clicked three times: charged 2 times; 2 receipts.");
        assertThat(verdict(new ScenarioVariantResult(order, responses, List.of(charge), 0)))
                .isEqualTo("FAILED with protection: Pay button clicked three times: lost, no receipt.");
        assertThat(verdict(new ScenarioVariantResult(
                        order,
                        List.of(responses.get(0), responses.get(1), new ShopResponse(201, "b")),
                        List.of(charge),
                        1)))
                .isEqualTo(
                        "FAILED with protection: Pay button clicked three times: the client got different receipts.");
        assertThat(verdict(new ScenarioVariantResult(order, List.of(ShopResponse.NONE), List.of(), 0)))
                .isEqualTo("FAILED with protection: Pay button clicked three times: never charged; lost, no receipt;"
                        + " the client got no response instead of 201 ×3.");
    }

    private static String verdict(ScenarioVariantResult guarded) {
        return String.join(
                "\n", DemoScript.verdict(List.of(new ScenarioResult(DemoScenario.CLICKS, guarded, guarded))));
    }

    @Test
    void unwritableDirectoryIsReported() {
        var nowhere = folder.resolve("not-there");

        assertThatThrownBy(() -> ShopAndBankProcesses.start(nowhere))
                .isInstanceOf(DemoFailedException.class)
                .hasMessageContaining(nowhere.toString())
                .hasMessageContaining("java.io.tmpdir");
    }

    @Test
    void childThatExitsAtStartupReportsItsLastOutput() throws Exception {
        var child = DemoProcess.start(
                DemoShop.class, folder, folder.resolve("no/such/folder.db").toString(), "http://localhost:1");

        assertThatThrownBy(child::address)
                .isInstanceOf(DemoFailedException.class)
                .hasMessageStartingWith("The shop exited during startup with code 1. Last output:")
                .hasMessageContaining("SQLITE_CANTOPEN");
    }

    @Test
    void nothingIsLeftWhenTheParentIsStopped() throws Exception {
        var driver = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Driver.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .start();
        try (var out = driver.inputReader()) {
            assertThat(out.readLine()).isEqualTo("ready");
            var children = driver.descendants().toList();
            assertThat(children).hasSize(2);

            driver.destroy();

            assertThat(driver.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(children).noneMatch(ProcessHandle::isAlive);
            assertThat(Files.list(folder)).isEmpty();
        } finally {
            driver.destroyForcibly();
        }
    }

    /** Runs the processes until it is stopped. */
    static final class Driver {

        private Driver() {}

        public static void main(String[] arguments) throws Exception {
            try (var processes = ShopAndBankProcesses.start(Path.of(arguments[0]))) {
                System.out.println("ready");
                new CountDownLatch(1).await();
            }
        }
    }
}
