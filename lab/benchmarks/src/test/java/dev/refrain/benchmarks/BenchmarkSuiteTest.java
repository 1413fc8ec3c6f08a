package dev.refrain.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs every measurement for so short a time that the numbers mean nothing. */
class BenchmarkSuiteTest {

    private static final BenchmarkScale TINY = new BenchmarkScale(
            2, Duration.ofMillis(50), Duration.ofMillis(10), Duration.ofMillis(50), 1, 1_000, 50, 500, 100, 30);

    @TempDir
    Path folder;

    @Test
    void everyCaseRunsAndIsReported() throws Exception {
        var shown = new ByteArrayOutputStream();
        var report = BenchmarkSuite.full().at(TINY).run(new PrintStream(shown, true, StandardCharsets.UTF_8));

        assertThat(report.results())
                .extracting(result -> result.title().name())
                .containsExactly(
                        "transactional",
                        "transactional-32",
                        "transactional-8",
                        "transactional-1",
                        "transactional-vs-hand",
                        "transactional-vs-hand-8",
                        "leased",
                        "leased-32",
                        "leased-8",
                        "leased-1",
                        "leased-hold",
                        "leased-hold-request",
                        "leased-vs-naive",
                        "replay",
                        "replay-8",
                        "replay-1",
                        "replay-transactional",
                        "replay-transactional-8",
                        "replay-cached",
                        "open-loop-transactional",
                        "open-loop-leased",
                        "bytes-transactional",
                        "bytes-leased",
                        "overload",
                        "overload-transactional",
                        "growth",
                        "reaper",
                        "sqlite",
                        "parked",
                        "wakeup",
                        "idle",
                        "http",
                        "http-8",
                        "http-replay",
                        "flow",
                        "completer",
                        "outbox",
                        "outbox-8",
                        "outbox-1",
                        "outbox-idle",
                        "gateway",
                        "gateway-replay",
                        "gateway-parked",
                        "gateway-overload");
        assertThat(shown.toString(StandardCharsets.UTF_8)).contains(BenchmarkSuite.names());

        var printed = new StringWriter();
        report.print(new PrintWriter(printed));
        assertThat(printed.toString())
                .contains(BenchmarkSuite.names())
                .contains("PostgreSQL", "fsync on", "p99.9", "CPU µs", "WAL B", "starved", "refused", "≥ 0.78")
                .contains("reports and does not judge")
                .doesNotContain("MISS");

        Path file = folder.resolve("results.json");
        report.writeJson(file);
        JsonNode json = JsonMapper.shared().readTree(file);
        assertThat(json.get("results")).hasSize(BenchmarkSuite.names().size()).allSatisfy(result -> {
            assertThat(result.get("name").isString()).isTrue();
            assertThat(result.get("ratio").isNumber()).isTrue();
            assertThat(result.get("ratio").asDouble()).isNotNegative();
            assertThat(result.get("spread").isNumber()).isTrue();
            assertThat(result.get("q1").isNumber()).isTrue();
            assertThat(result.get("q3").isNumber()).isTrue();
            assertThat(result.get("bar").isNumber()).isTrue();
            assertThat(result.get("pass").isBoolean()).isTrue();
            assertThat(result.get("pairs").isInt()).isTrue();
            assertThat(result.get("unit").isString()).isTrue();
        });
        assertThat(json.get("quick").asBoolean()).isTrue();
        assertThat(json.at("/machine/cores").asInt()).isPositive();
    }

    @Test
    void quickRunLeavesOutWhatTakesLong() {
        assertThat(BenchmarkCase.all().stream()
                        .filter(BenchmarkCase::isLong)
                        .map(each -> each.title().name()))
                .containsExactly(
                        "transactional-32",
                        "transactional-1",
                        "transactional-vs-hand",
                        "transactional-vs-hand-8",
                        "leased-1",
                        "leased-hold-request",
                        "replay-1",
                        "open-loop-transactional",
                        "open-loop-leased",
                        "bytes-transactional",
                        "bytes-leased",
                        "overload-transactional",
                        "growth",
                        "reaper",
                        "http-8",
                        "outbox-8",
                        "outbox-1",
                        "outbox-idle");
    }
}
