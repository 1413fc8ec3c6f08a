package dev.refrain.console;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Tables that a narrow screen shows as cards: each cell says what its head says. */
final class HtmlTables {

    private HtmlTables() {}

    static SafeHtml of(List<String> heads, List<List<SafeHtml>> rows) {
        var head = heads.stream()
                .map(title -> SafeHtml.element("th").with("scope", "col").content(title))
                .toList();
        var body = rows.stream()
                .map(row -> SafeHtml.element("tr")
                        .content(IntStream.range(0, row.size())
                                .mapToObj(i -> SafeHtml.element("td")
                                        .with("data-head", heads.get(i))
                                        .content(row.get(i)))
                                .toList()))
                .toList();
        return SafeHtml.element("table")
                .content(
                        SafeHtml.element("thead").content(SafeHtml.element("tr").content(head)),
                        SafeHtml.element("tbody").content(body));
    }

    /** A page of a list, or the sentence that there is nothing on it. */
    static SafeHtml tableOrEmptyMessage(List<String> heads, List<List<SafeHtml>> rows, Optional<String> next) {
        return rows.isEmpty()
                ? SafeHtml.element("p")
                        .with("class", "told")
                        .content(next.isPresent() ? "Nothing among those that were looked at." : "Nothing was found.")
                : of(heads, rows);
    }

    /** To the next page of a search, with what was asked for. */
    static SafeHtml nextPageLink(AuthenticatedRequest visit, String place, List<String> asked, Optional<String> next) {
        if (next.isEmpty()) {
            return SafeHtml.NOTHING;
        }
        Map<String, String> query = new LinkedHashMap<>();
        asked.forEach(name -> visit.request().queryParameter(name).ifPresent(value -> query.put(name, value)));
        query.put("after", next.get());
        return SafeHtml.element("p")
                .content(SafeHtml.element("a")
                        .with("class", "button")
                        .with("rel", "next")
                        .with("href", visit.link(place, query))
                        .content("Go on"));
    }

    static SafeHtml link(String place, String untrusted) {
        return SafeHtml.element("a").with("href", place).content(untrusted);
    }

    static SafeHtml code(String untrusted) {
        return SafeHtml.element("code").content(untrusted);
    }

    static SafeHtml state(String state) {
        return SafeHtml.element("span").with("class", "state " + state).content(state);
    }

    /** What there is to know about one thing. */
    static SafeHtml facts(List<Fact> facts) {
        return SafeHtml.element("dl")
                .content(facts.stream()
                        .map(fact -> SafeHtml.element("div")
                                .content(
                                        SafeHtml.element("dt").content(fact.name()),
                                        SafeHtml.element("dd").content(fact.value())))
                        .toList());
    }

    /** One thing that is known. */
    record Fact(String name, SafeHtml value) {}
}
