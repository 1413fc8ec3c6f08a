package dev.refrain.demo;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/** A scenario that was played, as the page shows it. */
record Shown(String deed, List<OneSide> sides) {

    /**
     * What is shown side by side.
     *
     * @param order its name, which is also its key
     * @param requests what the client was told, equal ones together
     * @param key the story of its key; empty where there is none
     * @param wrongs what is wrong with it
     */
    record OneSide(
            String order,
            List<String> requests,
            String bank,
            List<String> ledger,
            String shop,
            List<String> key,
            List<String> wrongs) {}

    /** Asks the shop about a key. */
    interface Stories {
        KeyStory of(String order) throws DemoFailure, InterruptedException;
    }

    static Shown of(Played played, Stories stories) throws DemoFailure, InterruptedException {
        String expected = played.scenario().expected();
        var guarded = played.guarded();
        return new Shown(
                played.scenario().deed(),
                List.of(
                        side(guarded, stories.of(guarded.ordered().name()), expected),
                        side(played.bare(), KeyStory.NONE, played.bare().client())));
    }

    private static OneSide side(Seen seen, KeyStory story, String expected) {
        return new OneSide(
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
