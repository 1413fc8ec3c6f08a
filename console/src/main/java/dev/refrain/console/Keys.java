package dev.refrain.console;

import dev.refrain.key.Identity;
import dev.refrain.store.Browsing;
import dev.refrain.store.RecordPage;
import dev.refrain.store.RecordSearch;
import dev.refrain.store.RecordView;
import dev.refrain.store.State;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.stream.Stream;

/** The search, page by page. */
final class Keys implements Section {

    private static final int ROWS = 50;

    private final Browsing browsing;

    Keys(Browsing browsing) {
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
    public Page get(Visit visit) {
        if (!visit.subPath().isEmpty()) {
            return Page.notFound();
        }
        var found = browsing.search(search(visit.request()));
        return Page.of("Keys", form(visit), listed(visit, found));
    }

    private static RecordSearch search(ConsoleRequest request) {
        return new RecordSearch(
                request.queryParameter("scope"),
                request.queryParameter("operation"),
                request.queryParameter("key"),
                request.queryParameter("state").map(Keys::state),
                request.queryParameter("since").map(Keys::moment),
                request.queryParameter("until").map(Keys::moment),
                request.queryParameter("after"),
                ROWS);
    }

    private static State state(String text) {
        return Stream.of(State.values())
                .filter(state -> state.name().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no such state."));
    }

    /** As a browser sends it from a field for moments; in UTC, as everything here is shown. */
    private static Instant moment(String text) {
        try {
            return LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("A time looks like 2026-11-15T10:00.", e);
        }
    }

    private static Html form(Visit visit) {
        var request = visit.request();
        var states = Stream.concat(Stream.of(""), Stream.of(State.values()).map(State::name))
                .toList();
        return Fields.search(
                visit.link("keys"),
                Fields.optional("text", "key", "Key", request.queryParameter("key").orElse("")),
                Fields.optional("text", "scope", "Scope", request.queryParameter("scope").orElse("")),
                Fields.optional(
                        "text",
                        "operation",
                        "Operation",
                        request.queryParameter("operation").orElse("")),
                Fields.choice("state", "State", request.queryParameter("state").orElse(""), states),
                Fields.optional(
                        "datetime-local",
                        "since",
                        "Claimed since (UTC)",
                        request.queryParameter("since").orElse("")),
                Fields.optional(
                        "datetime-local",
                        "until",
                        "until (UTC)",
                        request.queryParameter("until").orElse("")),
                Fields.button("Search"));
    }

    private static Html listed(Visit visit, RecordPage page) {
        var rows = page.records().stream().map(record -> row(visit, record)).toList();
        var table =
                Tables.tableOrEmptyMessage(List.of("State", "Key", "Scope", "Operation", "Claimed", "Age"), rows, page.next());
        return Html.concat(
                table,
                page.order() == RecordPage.Order.AS_STORED
                        ? Html.element("p")
                                .with("class", "small")
                                .content("The records of one scope come in no order of time, unless a time is named.")
                        : Html.NOTHING,
                Tables.nextPageLink(
                        visit, "keys", List.of("key", "scope", "operation", "state", "since", "until"), page.next()));
    }

    private static List<Html> row(Visit visit, RecordView record) {
        var identity = record.identity();
        return List.of(
                Tables.state(record.state().name()),
                Html.element("a")
                        .with("href", OneKey.link(visit, record))
                        .content(Tables.code(identity.map(Identity::key).orElse("(erased)"))),
                Html.text(identity.map(Identity::scope).orElse("")),
                Html.text(identity.map(Identity::namespace).orElse("")),
                Times.moment(record.times().claimed()),
                Html.text(Times.brief(Duration.between(
                        record.times().claimed(), record.times().seen()))));
    }
}
