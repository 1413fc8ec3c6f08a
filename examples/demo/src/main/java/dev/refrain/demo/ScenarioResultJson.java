package dev.refrain.demo;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/** JSON form of a result, for the page. */
record ScenarioResultJson(String deed, List<VariantJson> sides) {

    /**
     * Result of one variant.
     *
     * @param order the name of the order, which is also its key
     * @param requests the responses that the client got, equal ones grouped
     * @param key the history of the key; empty if there is none
     * @param wrongs the violations
     */
    record VariantJson(
            String order,
            List<String> requests,
            String bank,
            List<String> ledger,
            String shop,
            List<String> key,
            List<String> wrongs) {}

    /** Looks up the history of a key at the shop. */
    interface KeyHistorySource {
        KeyHistory of(String order) throws DemoFailedException, InterruptedException;
    }

    static ScenarioResultJson of(ScenarioResult result, KeyHistorySource histories)
            throws DemoFailedException, InterruptedException {
        String expected = result.scenario().expected();
        var guarded = result.guarded();
        return new ScenarioResultJson(
                result.scenario().title(),
                List.of(
                        side(guarded, histories.of(guarded.ordered().name()), expected),
                        side(result.bare(), KeyHistory.NONE, result.bare().client())));
    }

    private static VariantJson side(ScenarioVariantResult result, KeyHistory history, String expected) {
        return new VariantJson(
                result.ordered().name(),
                result.answers().stream()
                        .collect(Collectors.groupingBy(
                                answer -> (answer.statusText() + " " + answer.body()).strip(),
                                LinkedHashMap::new,
                                Collectors.counting()))
                        .entrySet()
                        .stream()
                        .map(same -> (same.getValue() > 1 ? same.getValue() + " × " : "") + same.getKey())
                        .toList(),
                result.bank(),
                result.charges().stream()
                        .map(charge -> charge.id() + ": " + charge.order().amount() + " cents, "
                                + (charge.key().isEmpty() ? "no key" : "key " + charge.key()))
                        .toList(),
                result.shop(),
                history.lines(),
                result.violations(expected));
    }
}
