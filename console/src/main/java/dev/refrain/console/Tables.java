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
                .map(title -> Html.element("th").with("scope", "col").content(title))
                .toList();
        var body = rows.stream()
                .map(row -> Html.element("tr")
                        .content(IntStream.range(0, row.size())
                                .mapToObj(i -> Html.element("td")
                                        .with("data-head", heads.get(i))
                                        .content(row.get(i)))
                                .toList()))
                .toList();
        return Html.element("table")
                .content(
                        Html.element("thead").content(Html.element("tr").content(head)),
                        Html.element("tbody").content(body));
    }

    /** A page of a list, or the sentence that there is nothing on it. */
    static Html tableOrEmptyMessage(List<String> heads, List<List<Html>> rows, Optional<String> next) {
        return rows.isEmpty()
                ? Html.element("p")
                        .with("class", "told")
                        .content(next.isPresent() ? "Nothing among those that were looked at." : "Nothing was found.")
                : of(heads, rows);
    }

    /** To the next page of a search, with what was asked for. */
    static Html nextPageLink(Visit visit, String place, List<String> asked, Optional<String> next) {
        if (next.isEmpty()) {
            return Html.NOTHING;
        }
        Map<String, String> query = new LinkedHashMap<>();
        asked.forEach(name -> visit.request().queryParameter(name).ifPresent(value -> query.put(name, value)));
        query.put("after", next.get());
        return Html.element("p")
                .content(Html.element("a")
                        .with("class", "button")
                        .with("rel", "next")
                        .with("href", visit.link(place, query))
                        .content("Go on"));
    }

    static Html link(String place, String untrusted) {
        return Html.element("a").with("href", place).content(untrusted);
    }

    static Html code(String untrusted) {
        return Html.element("code").content(untrusted);
    }

    static Html state(String state) {
        return Html.element("span").with("class", "state " + state).content(state);
    }

    /** What there is to know about one thing. */
    static Html facts(List<Fact> facts) {
        return Html.element("dl")
                .content(facts.stream()
                        .map(fact -> Html.element("div")
                                .content(
                                        Html.element("dt").content(fact.name()),
                                        Html.element("dd").content(fact.value())))
                        .toList());
    }

    /** One thing that is known. */
    record Fact(String name, Html value) {}
}
