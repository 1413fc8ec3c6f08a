package dev.refrain.console;

import dev.refrain.console.Live.Count;
import dev.refrain.store.outbox.OutboxBrowsing;
import dev.refrain.store.outbox.TopicView;
import dev.refrain.store.outbox.WaitingMessage;
import dev.refrain.store.outbox.WaitingSearch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What waits to be delivered: by topic, and message by message. */
final class OutboxSection implements Section {

    static final String NAME = "outbox";

    private static final int ROWS = 50;
    private static final int COUNTED = 10_000;
    private static final String FAILING = "failing";

    private final OutboxBrowsing browsing;
    private final Live live;

    OutboxSection(OutboxBrowsing browsing, Live live) {
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
    public Page get(Visit visit) {
        if (!visit.subPath().isEmpty()) {
            return Page.notFound();
        }
        var request = visit.request();
        var search = new WaitingSearch(
                request.queryParameter("topic"),
                request.queryParameter("show").filter(FAILING::equals).isPresent(),
                request.queryParameter("after"),
                ROWS);
        return Page.of(
                title(),
                topics(visit),
                Html.element("h2").content("This instance, the last ten minutes"),
                Tiles.of(Tiles.charts(live, Count.OF_THE_OUTBOX)),
                Html.element("h2").content("What waits, in the order of staging"),
                form(visit),
                listed(visit, search));
    }

    private Html topics(Visit visit) {
        var topics = browsing.topics(COUNTED);
        return topics.isEmpty()
                ? Html.element("p").with("class", "told").content("Nothing waits, and nothing is dead.")
                : Tables.of(
                        List.of("Topic", "Waiting", "Under way", "Failing", "Oldest", "Dead letters"),
                        topics.stream().map(topic -> row(visit, topic)).toList());
    }

    private static List<Html> row(Visit visit, TopicView topic) {
        String least = topic.more() ? "at least " : "";
        var named = Map.of("topic", topic.topic());
        return List.of(
                Tables.link(visit.link(NAME, named), topic.topic()),
                Html.text(least + topic.waiting()),
                Html.text(least + topic.underWay()),
                Html.text(least + topic.failing()),
                Html.text(topic.oldest().map(Times::brief).orElse("none")),
                topic.dead() == 0
                        ? Html.text("0")
                        : Tables.link(visit.link(DeadLetters.NAME, named), least + topic.dead()));
    }

    private static Html form(Visit visit) {
        var request = visit.request();
        return Fields.search(
                visit.link(NAME),
                Fields.optional("text", "topic", "Topic", request.queryParameter("topic").orElse("")),
                Fields.choice("show", "Show", request.queryParameter("show").orElse(""), List.of("", FAILING)),
                Fields.button("Search"));
    }

    private Html listed(Visit visit, WaitingSearch search) {
        var page = browsing.searchWaiting(search);
        return Html.concat(
                Tables.tableOrEmptyMessage(
                        List.of("Staged", "Due", "Attempts", "Topic", "In order of", "What went wrong last"),
                        page.rows().stream().map(OutboxSection::row).toList(),
                        page.next()),
                Tables.nextPageLink(visit, NAME, List.of("topic", "show"), page.next()));
    }

    private static List<Html> row(WaitingMessage message) {
        return List.of(
                Times.moment(message.times().staged()),
                Html.text(due(message)),
                Html.text(Integer.toString(message.attempts())),
                Html.text(message.topic()),
                Html.text(message.orderKey().orElse("")),
                Html.text(message.reason().orElse("")));
    }

    private static String due(WaitingMessage message) {
        if (message.underWay()) {
            return "under way";
        }
        var left = Duration.between(message.times().seen(), message.times().due());
        return Optional.of(left)
                .filter(Duration::isPositive)
                .map(l -> "in " + Times.brief(l))
                .orElse("now");
    }
}
