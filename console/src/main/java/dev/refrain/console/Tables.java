package dev.refrain.console;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Tables that a narrow screen shows as cards: each cell says what its head says. */
final class Tables {

    private Tables() {}

    static Html of(List<String> heads, List<List<Html>> rows) {
        var head = heads.stream()
                .map(title -> Html.element("th").with("scope", "col").of(title))
                .toList();
        var body = rows.stream()
                .map(row -> Html.element("tr")
                        .of(IntStream.range(0, row.size())
                                .mapToObj(i -> Html.element("td")
                                        .with("data-head", heads.get(i))
                                        .of(row.get(i)))
                                .toList()))
                .toList();
        return Html.element("table")
                .of(
                        Html.element("thead").of(Html.element("tr").of(head)),
                        Html.element("tbody").of(body));
    }

    /** A page of a list, or the sentence that there is nothing on it. */
    static Html orNothing(List<String> heads, List<List<Html>> rows, Optional<String> next) {
        return rows.isEmpty()
                ? Html.element("p")
                        .with("class", "told")
                        .of(next.isPresent() ? "Nothing among those that were looked at." : "Nothing was found.")
                : of(heads, rows);
    }

    /** To the next page of a search, with what was asked for. */
    static Html goOn(Visit visit, String place, List<String> asked, Optional<String> next) {
        if (next.isEmpty()) {
            return Html.NOTHING;
        }
        Map<String, String> query = new LinkedHashMap<>();
        asked.forEach(name -> visit.request().asked(name).ifPresent(value -> query.put(name, value)));
        query.put("after", next.get());
        return Html.element("p")
                .of(Html.element("a")
                        .with("class", "button")
                        .with("rel", "next")
                        .with("href", visit.link(place, query))
                        .of("Go on"));
    }

    static Html link(String place, String untrusted) {
        return Html.element("a").with("href", place).of(untrusted);
    }

    static Html code(String untrusted) {
        return Html.element("code").of(untrusted);
    }

    static Html state(String state) {
        return Html.element("span").with("class", "state " + state).of(state);
    }

    /** What there is to know about one thing. */
    static Html facts(List<Fact> facts) {
        return Html.element("dl")
                .of(facts.stream()
                        .map(fact -> Html.element("div")
                                .of(
                                        Html.element("dt").of(fact.name()),
                                        Html.element("dd").of(fact.value())))
                        .toList());
    }

    /** One thing that is known. */
    record Fact(String name, Html value) {}
}
