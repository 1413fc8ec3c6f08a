package dev.refrain.console;

import java.util.List;
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
