package dev.refrain.demo;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/** A scenario that was played, as the page shows it. */
record ScenarioResultJson(String deed, List<VariantJson> sides) {

    /**
     * What is shown side by side.
     *
     * @param order its name, which is also its key
     * @param requests what the client was told, equal ones together
     * @param key the story of its key; empty where there is none
     * @param wrongs what is wrong with it
     */
    record VariantJson(
            String order,
            List<String> requests,
            String bank,
            List<String> ledger,
            String shop,
            List<String> key,
            List<String> wrongs) {}

    /** Asks the shop about a key. */
    interface KeyHistorySource {
        KeyHistory of(String order) throws DemoFailedException, InterruptedException;
    }

    static ScenarioResultJson of(ScenarioResult played, KeyHistorySource stories)
            throws DemoFailedException, InterruptedException {
        String expected = played.scenario().expected();
        var guarded = played.guarded();
        return new ScenarioResultJson(
                played.scenario().deed(),
                List.of(
                        side(guarded, stories.of(guarded.ordered().name()), expected),
                        side(played.bare(), KeyHistory.NONE, played.bare().client())));
    }

    private static VariantJson side(ScenarioVariantResult seen, KeyHistory story, String expected) {
        return new VariantJson(
                seen.ordered().name(),
                seen.answers().stream()
                        .collect(Collectors.groupingBy(
                                answer -> (answer.told() + " " + answer.body()).strip(),
                                LinkedHashMap::new,
                                Collectors.counting()))
                        .entrySet()
                        .stream()
                        .map(same -> (same.getValue() > 1 ? same.getValue() + " × " : "") + same.getKey())
                        .toList(),
                seen.bank(),
                seen.charges().stream()
                        .map(charge -> charge.id() + ": " + charge.order().amount() + " cents, "
                                + (charge.key().isEmpty() ? "no key" : "key " + charge.key()))
                        .toList(),
                seen.shop(),
                story.lines(),
                seen.violations(expected));
    }
}
