package dev.refrain.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Runs promtool, if it is on the PATH. */
record Promtool(Path program) {

    static Optional<Promtool> find() {
        return Arrays.stream(System.getenv("PATH").split(":"))
                .map(folder -> Path.of(folder, "promtool"))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Promtool::new);
    }

    /** Evaluates the rules over scrapes one minute apart; returns its output unless exactly these fire at the end. */
    Optional<String> disagreement(
            List<PrometheusScrape> scrapes, List<AlertRule> rules, TreeSet<String> firing, Path folder)
            throws IOException, InterruptedException {
        try (var in = AlertRule.file()) {
            Files.write(folder.resolve("alerts.yaml"), in.readAllBytes());
        }
        var test = Files.writeString(folder.resolve("test.yaml"), test(scrapes, rules, firing));
        var run = new ProcessBuilder(program.toString(), "test", "rules", test.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(run.getInputStream().readAllBytes());
        return run.waitFor() == 0 ? Optional.empty() : Optional.of(said);
    }

    private static String test(List<PrometheusScrape> scrapes, List<AlertRule> rules, TreeSet<String> firing) {
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
                                .map(PrometheusScrape.written(series))
                                .collect(Collectors.joining(" ")))
                        .append("'\n"));
        test.append("  promql_expr_test:\n");
        for (var rule : rules) {
            test.append("  - expr: count(ALERTS{alertstate=\"firing\",alertname=\"")
                    .append(rule.name())
                    .append("\"})\n    eval_time: ")
                    .append(scrapes.size() - 1)
                    .append("m\n    exp_samples: ")
                    .append(firing.contains(rule.name()) ? "[{labels: '{}', value: 1}]\n" : "[]\n");
        }
        return test.toString();
    }
}
