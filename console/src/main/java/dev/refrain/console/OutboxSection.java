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

/** Console section for the outbox: the backlog of each topic and the waiting messages. */
final class OutboxSection implements ConsoleSection {

    static final String NAME = "outbox";

    private static final int ROWS = 50;
    private static final int COUNT_LIMIT = 10_000;
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
                SafeHtml.element("h2").content("This instance, last 10 minutes"),
                MetricTiles.of(MetricTiles.charts(live, ActivityKind.OUTBOX)),
                SafeHtml.element("h2").content("Waiting messages, in the order they were staged"),
                form(visit),
                results(visit, search));
    }

    private SafeHtml topics(AuthenticatedRequest visit) {
        var topics = browsing.topics(COUNT_LIMIT);
        return topics.isEmpty()
                ? SafeHtml.element("p").with("class", "notice").content("No waiting messages and no dead letters.")
                : HtmlTables.of(
                        List.of("Topic", "Waiting", "In flight", "Failing", "Oldest", "Dead letters"),
                        topics.stream().map(topic -> row(visit, topic)).toList());
    }

    private static List<SafeHtml> row(AuthenticatedRequest visit, TopicSummary topic) {
        String prefix = topic.more() ? "at least " : "";
        var query = Map.of("topic", topic.topic());
        return List.of(
                HtmlTables.link(visit.link(NAME, query), topic.topic()),
                SafeHtml.text(prefix + topic.waiting()),
                SafeHtml.text(prefix + topic.underWay()),
                SafeHtml.text(prefix + topic.failing()),
                SafeHtml.text(topic.oldest().map(ConsoleTimeFormat::brief).orElse("none")),
                topic.dead() == 0
                        ? SafeHtml.text("0")
                        : HtmlTables.link(visit.link(DeadLetterSection.NAME, query), prefix + topic.dead()));
    }

    private static SafeHtml form(AuthenticatedRequest visit) {
        var request = visit.request();
        return HtmlFormFields.search(
                visit.link(NAME),
                HtmlFormFields.optional(
                        "text",
                        "topic",
                        "Topic",
                        request.queryParameter("topic").orElse("")),
                HtmlFormFields.choice(
                        "show", "Show", request.queryParameter("show").orElse(""), List.of("", FAILING)),
                HtmlFormFields.button("Search"));
    }

    private SafeHtml results(AuthenticatedRequest visit, WaitingMessageSearch search) {
        var page = browsing.searchWaiting(search);
        return SafeHtml.concat(
                HtmlTables.tableOrEmptyMessage(
                        List.of("Staged", "Due", "Attempts", "Topic", "Order key", "Last error"),
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
            return "in flight";
        }
        var left = Duration.between(message.times().seen(), message.times().due());
        return Optional.of(left)
                .filter(Duration::isPositive)
                .map(l -> "in " + ConsoleTimeFormat.brief(l))
                .orElse("now");
    }
}
