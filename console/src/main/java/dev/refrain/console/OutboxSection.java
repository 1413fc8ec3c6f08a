package dev.refrain.console;

import dev.refrain.console.LiveActivityListener.ActivityKind;
import dev.refrain.store.outbox.OutboxBrowser;
import dev.refrain.store.outbox.TopicSummary;
import dev.refrain.store.outbox.WaitingMessage;
import dev.refrain.store.outbox.WaitingMessageSearch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What waits to be delivered: by topic, and message by message. */
final class OutboxSection implements ConsoleSection {

    static final String NAME = "outbox";

    private static final int ROWS = 50;
    private static final int COUNTED = 10_000;
    private static final String FAILING = "failing";

    private final OutboxBrowser browsing;
    private final LiveActivityListener live;

    OutboxSection(OutboxBrowser browsing, LiveActivityListener live) {
        this.browsing = browsing;
        this.live = live;
    }

    @Override
    public String path() {
        return NAME;
    }

    @Override
    public String title() {
        return "Outbox";
    }

    @Override
    public ConsolePage get(AuthenticatedRequest visit) {
        if (!visit.subPath().isEmpty()) {
            return ConsolePage.notFound();
        }
        var request = visit.request();
        var search = new WaitingMessageSearch(
                request.queryParameter("topic"),
                request.queryParameter("show").filter(FAILING::equals).isPresent(),
                request.queryParameter("after"),
                ROWS);
        return ConsolePage.of(
                title(),
                topics(visit),
                SafeHtml.element("h2").content("This instance, the last ten minutes"),
                MetricTiles.of(MetricTiles.charts(live, ActivityKind.OF_THE_OUTBOX)),
                SafeHtml.element("h2").content("What waits, in the order of staging"),
                form(visit),
                listed(visit, search));
    }

    private SafeHtml topics(AuthenticatedRequest visit) {
        var topics = browsing.topics(COUNTED);
        return topics.isEmpty()
                ? SafeHtml.element("p").with("class", "told").content("Nothing waits, and nothing is dead.")
                : HtmlTables.of(
                        List.of("Topic", "Waiting", "Under way", "Failing", "Oldest", "Dead letters"),
                        topics.stream().map(topic -> row(visit, topic)).toList());
    }

    private static List<SafeHtml> row(AuthenticatedRequest visit, TopicSummary topic) {
        String least = topic.more() ? "at least " : "";
        var named = Map.of("topic", topic.topic());
        return List.of(
                HtmlTables.link(visit.link(NAME, named), topic.topic()),
                SafeHtml.text(least + topic.waiting()),
                SafeHtml.text(least + topic.underWay()),
                SafeHtml.text(least + topic.failing()),
                SafeHtml.text(topic.oldest().map(ConsoleTimeFormat::brief).orElse("none")),
                topic.dead() == 0
                        ? SafeHtml.text("0")
                        : HtmlTables.link(visit.link(DeadLetterSection.NAME, named), least + topic.dead()));
    }

    private static SafeHtml form(AuthenticatedRequest visit) {
        var request = visit.request();
        return FormFields.search(
                visit.link(NAME),
                FormFields.optional(
                        "text",
                        "topic",
                        "Topic",
                        request.queryParameter("topic").orElse("")),
                FormFields.choice("show", "Show", request.queryParameter("show").orElse(""), List.of("", FAILING)),
                FormFields.button("Search"));
    }

    private SafeHtml listed(AuthenticatedRequest visit, WaitingMessageSearch search) {
        var page = browsing.searchWaiting(search);
        return SafeHtml.concat(
                HtmlTables.tableOrEmptyMessage(
                        List.of("Staged", "Due", "Attempts", "Topic", "In order of", "What went wrong last"),
                        page.rows().stream().map(OutboxSection::row).toList(),
                        page.next()),
                HtmlTables.nextPageLink(visit, NAME, List.of("topic", "show"), page.next()));
    }

    private static List<SafeHtml> row(WaitingMessage message) {
        return List.of(
                ConsoleTimeFormat.moment(message.times().staged()),
                SafeHtml.text(due(message)),
                SafeHtml.text(Integer.toString(message.attempts())),
                SafeHtml.text(message.topic()),
                SafeHtml.text(message.orderKey().orElse("")),
                SafeHtml.text(message.reason().orElse("")));
    }

    private static String due(WaitingMessage message) {
        if (message.underWay()) {
            return "under way";
        }
        var left = Duration.between(message.times().seen(), message.times().due());
        return Optional.of(left)
                .filter(Duration::isPositive)
                .map(l -> "in " + ConsoleTimeFormat.brief(l))
                .orElse("now");
    }
}
