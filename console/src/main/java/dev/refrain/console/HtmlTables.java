package dev.refrain.console;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Builds tables that narrow screens show as cards, and lists of facts. */
final class HtmlTables {

    private HtmlTables() {}

    static SafeHtml of(List<String> headers, List<List<SafeHtml>> rows) {
        var head = headers.stream()
                .map(title -> SafeHtml.element("th").with("scope", "col").content(title))
                .toList();
        var body = rows.stream()
                .map(row -> SafeHtml.element("tr")
                        .content(IntStream.range(0, row.size())
                                .mapToObj(i -> SafeHtml.element("td")
                                        .with("data-head", headers.get(i))
                                        .content(row.get(i)))
                                .toList()))
                .toList();
        return SafeHtml.element("table")
                .content(
                        SafeHtml.element("thead").content(SafeHtml.element("tr").content(head)),
                        SafeHtml.element("tbody").content(body));
    }

    /** Builds a table for a page of results, or a message if it is empty. */
    static SafeHtml tableOrEmptyMessage(List<String> headers, List<List<SafeHtml>> rows, Optional<String> next) {
        return rows.isEmpty()
                ? SafeHtml.element("p")
                        .with("class", "notice")
                        .content(next.isPresent() ? "No matches on this page." : "No matches.")
                : of(headers, rows);
    }

    /** Links to the next page of a search, with the same filters. */
    static SafeHtml nextPageLink(
            AuthenticatedRequest visit, String place, List<String> parameters, Optional<String> next) {
        if (next.isEmpty()) {
            return SafeHtml.NOTHING;
        }
        Map<String, String> query = new LinkedHashMap<>();
        parameters.forEach(name -> visit.request().queryParameter(name).ifPresent(value -> query.put(name, value)));
        query.put("after", next.get());
        return SafeHtml.element("p")
                .content(SafeHtml.element("a")
                        .with("class", "button")
                        .with("rel", "next")
                        .with("href", visit.link(place, query))
                        .content("Next page"));
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

    /** Builds a list of names and values. */
    static SafeHtml facts(List<Fact> facts) {
        return SafeHtml.element("dl")
                .content(facts.stream()
                        .map(fact -> SafeHtml.element("div")
                                .content(
                                        SafeHtml.element("dt").content(fact.name()),
                                        SafeHtml.element("dd").content(fact.value())))
                        .toList());
    }

    /** Name and value. */
    record Fact(String name, SafeHtml value) {}
}
