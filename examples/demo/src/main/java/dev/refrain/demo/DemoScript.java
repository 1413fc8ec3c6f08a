package dev.refrain.demo;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Demo without a browser: runs every scenario once and prints the results. */
public final class DemoScript {

    private DemoScript() {}

    /**
     * Runs the demo.
     *
     * @param parent the directory in which a temporary directory is created
     * @return whether nothing was charged twice and nothing was lost with protection
     * @throws DemoFailedException if a process does not start or a scenario cannot run
     */
    public static boolean run(Path parent, PrintWriter out, PrintWriter progress)
            throws DemoFailedException, InterruptedException {
        print(progress, "Starting the bank and the shop…");
        var results = new ArrayList<ScenarioResult>();
        try (var processes = ShopAndBankProcesses.start(parent)) {
            var runner = new ScenarioRunner(processes);
            for (var scenario : DemoScenario.values()) {
                print(
                        progress,
                        (results.size() + 1) + "/" + DemoScenario.values().length + " " + scenario.title() + "…");
                results.add(runner.play(scenario));
            }
        }
        ScenarioResultTable.of(results).forEach(out::println);
        var verdict = verdict(results);
        out.println();
        verdict.forEach(out::println);
        out.flush();
        return results.stream().allMatch(one -> one.violations().isEmpty());
    }

    /** Summarizes the violations with protection, if any. */
    static List<String> verdict(List<ScenarioResult> results) {
        var violations = results.stream()
                .filter(one -> !one.violations().isEmpty())
                .map(one -> "FAILED with protection: " + one.scenario().title() + ": "
                        + String.join("; ", one.violations()) + ".")
                .toList();
        return violations.isEmpty()
                ? List.of("With protection, nothing was charged twice and nothing was lost.")
                : violations;
    }

    private static void print(PrintWriter progress, String line) {
        progress.println(line);
        progress.flush();
    }
}
