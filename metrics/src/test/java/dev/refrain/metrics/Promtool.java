package dev.refrain.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Prometheus's own tool, which evaluates the alert rules over scrapes. */
public record Promtool(Path program) {

    /** @throws IllegalStateException if there is none on the PATH */
    public static Promtool onPath() {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .map(folder -> Path.of(folder, "promtool"))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Promtool::new)
                .orElseThrow(() -> new IllegalStateException(
                        "-Palerts needs promtool on the PATH, and there is none. Debian's package is prometheus."));
    }

    /** Fails unless exactly these alerts fire at the last of the scrapes, which count as a minute apart. */
    public void assertFiring(List<PrometheusScrape> scrapes, Set<String> expected, Path folder)
            throws IOException, InterruptedException {
        try (var in = AlertRule.file()) {
            Files.write(folder.resolve("alerts.yaml"), in.readAllBytes());
        }
        var test = Files.writeString(folder.resolve("test.yaml"), test(scrapes, expected));
        var run = new ProcessBuilder(program.toString(), "test", "rules", test.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(run.getInputStream().readAllBytes());
        assertThat(run.waitFor()).as(output).isZero();
    }

    private static String test(List<PrometheusScrape> scrapes, Set<String> expected) throws IOException {
        var test = new StringBuilder(
                "rule_files: [alerts.yaml]\nevaluation_interval: 1m\ntests:\n- interval: 1m\n  input_series:\n");
        scrapes.stream()
                .flatMap(scrape -> scrape.values().keySet().stream())
                .distinct()
                .filter(series -> series.startsWith("refrain_"))
                .forEach(series -> test.append("  - series: '")
                        .append(series)
                        .append("'\n    values: '")
                        .append(scrapes.stream()
                                .map(scrape -> scrape.value(series))
                                .collect(Collectors.joining(" ")))
                        .append("'\n"));
        test.append("  promql_expr_test:\n");
        for (var rule : AlertRule.all()) {
            test.append("  - expr: count(ALERTS{alertstate=\"firing\",alertname=\"")
                    .append(rule.name())
                    .append("\"})\n    eval_time: ")
                    .append(scrapes.size() - 1)
                    .append("m\n    exp_samples: ")
                    .append(expected.contains(rule.name()) ? "[{labels: '{}', value: 1}]\n" : "[]\n");
        }
        return test.toString();
    }
}
