package dev.refrain.demo;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The demo without a browser: plays everything once and prints what was seen. */
public final class DemoScript {

    private DemoScript() {}

    /**
     * @param parent where a folder is made for as long as it runs
     * @return whether with protection nothing was charged twice and nothing was lost
     */
    public static boolean run(Path parent, PrintWriter out, PrintWriter progress)
            throws DemoFailedException, InterruptedException {
        tell(progress, "Starting a bank and a shop…");
        var played = new ArrayList<ScenarioResult>();
        try (var town = ShopAndBankProcesses.start(parent)) {
            var stage = new ScenarioRunner(town);
            for (var scenario : DemoScenario.values()) {
                tell(progress, (played.size() + 1) + "/" + DemoScenario.values().length + " " + scenario.deed() + "…");
                played.add(stage.play(scenario));
            }
        }
        ScenarioResultTable.of(played).forEach(out::println);
        var verdict = verdict(played);
        out.println();
        verdict.forEach(out::println);
        out.flush();
        return played.stream().allMatch(one -> one.wrongs().isEmpty());
    }

    /** Names what went wrong with protection, if anything did. */
    static List<String> verdict(List<ScenarioResult> played) {
        var wrongs = played.stream()
                .filter(one -> !one.wrongs().isEmpty())
                .map(one -> "WRONG with protection: " + one.scenario().deed() + ": " + String.join("; ", one.wrongs())
                        + ".")
                .toList();
        return wrongs.isEmpty() ? List.of("With protection nothing was charged twice, and nothing was lost.") : wrongs;
    }

    private static void tell(PrintWriter progress, String line) {
        progress.println(line);
        progress.flush();
    }
}
