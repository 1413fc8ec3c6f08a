package dev.refrain.console;

import dev.refrain.api.ScopedKey;
import dev.refrain.store.RecordBrowser;
import dev.refrain.store.RecordPage;
import dev.refrain.store.RecordSearch;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordView;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.stream.Stream;

/** Console section that searches keys, page by page. */
final class KeySearchSection implements ConsoleSection {

    private static final int ROWS = 50;

    private final RecordBrowser browsing;

    KeySearchSection(RecordBrowser browsing) {
        this.browsing = browsing;
    }

    @Override
    public String path() {
        return "keys";
    }

    @Override
    public String title() {
        return "Keys";
    }

    @Override
    public ConsolePage get(AuthenticatedRequest visit) {
        if (!visit.subPath().isEmpty()) {
            return ConsolePage.notFound();
        }
        var found = browsing.search(search(visit.request()));
        return ConsolePage.of("Keys", form(visit), results(visit, found));
    }

    private static RecordSearch search(ConsoleRequest request) {
        return new RecordSearch(
                request.queryParameter("scope"),
                request.queryParameter("namespace"),
                request.queryParameter("key"),
                request.queryParameter("state").map(KeySearchSection::state),
                request.queryParameter("since").map(KeySearchSection::moment),
                request.queryParameter("until").map(KeySearchSection::moment),
                request.queryParameter("after"),
                ROWS);
    }

    private static RecordState state(String text) {
        return Stream.of(RecordState.values())
                .filter(state -> state.name().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "Unknown state. Use IN_PROGRESS, COMPLETED, RELEASED or ATTENTION."));
    }

    /** Parses the value of a datetime-local field as UTC, like all times in the console. */
    private static Instant moment(String text) {
        try {
            return LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("Invalid time: use for example 2026-11-15T10:00.", e);
        }
    }

    private static SafeHtml form(AuthenticatedRequest visit) {
        var request = visit.request();
        var states = Stream.concat(
                        Stream.of(""), Stream.of(RecordState.values()).map(RecordState::name))
                .toList();
        return HtmlFormFields.search(
                visit.link("keys"),
                HtmlFormFields.optional(
                        "text", "key", "Key", request.queryParameter("key").orElse("")),
                HtmlFormFields.optional(
                        "text",
                        "scope",
                        "Scope",
                        request.queryParameter("scope").orElse("")),
                HtmlFormFields.optional(
                        "text",
                        "namespace",
                        "Namespace",
                        request.queryParameter("namespace").orElse("")),
                HtmlFormFields.choice(
                        "state", "State", request.queryParameter("state").orElse(""), states),
                HtmlFormFields.optional(
                        "datetime-local",
                        "since",
                        "Claimed from (UTC)",
                        request.queryParameter("since").orElse("")),
                HtmlFormFields.optional(
                        "datetime-local",
                        "until",
                        "to (UTC)",
                        request.queryParameter("until").orElse("")),
                HtmlFormFields.button("Search"));
    }

    private static SafeHtml results(AuthenticatedRequest visit, RecordPage page) {
        var rows = page.records().stream().map(record -> row(visit, record)).toList();
        var table = HtmlTables.tableOrEmptyMessage(
                List.of("State", "Key", "Scope", "Namespace", "Claimed", "Age"), rows, page.next());
        return SafeHtml.concat(
                table,
                page.order() == RecordPage.Order.AS_STORED
                        ? SafeHtml.element("p")
                                .with("class", "small")
                                .content("With a scope and no time range, records are not sorted by time.")
                        : SafeHtml.NOTHING,
                HtmlTables.nextPageLink(
                        visit, "keys", List.of("key", "scope", "namespace", "state", "since", "until"), page.next()));
    }

    private static List<SafeHtml> row(AuthenticatedRequest visit, RecordView record) {
        var identity = record.identity();
        return List.of(
                HtmlTables.state(record.state().name()),
                SafeHtml.element("a")
                        .with("href", KeyDetailSection.link(visit, record))
                        .content(HtmlTables.code(identity.map(ScopedKey::key).orElse("(erased)"))),
                SafeHtml.text(identity.map(ScopedKey::scope).orElse("")),
                SafeHtml.text(identity.map(ScopedKey::namespace).orElse("")),
                ConsoleTimeFormat.moment(record.times().claimed()),
                SafeHtml.text(ConsoleTimeFormat.brief(Duration.between(
                        record.times().claimed(), record.times().seen()))));
    }
}
