package dev.refrain.console;

import dev.refrain.console.LiveActivityListener.ActivityKind;
import dev.refrain.store.UnsettledCounts;
import dev.refrain.store.outbox.TopicSummary;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Front page of the console: current counts and charts. Its script refreshes {@code live} every few seconds. */
final class OverviewSection implements ConsoleSection {

    /** Lifetime of the counts, so that visitors share one query. */
    private static final Duration CACHE_TIME = Duration.ofSeconds(3);

    /** Age above which a waiting message is alarming; same as the threshold of the shipped alert. */
    private static final Duration ALARMING_AGE = Duration.ofMinutes(15);

    private record CachedCounts(Instant at, Optional<UnsettledCounts> census, Optional<List<TopicSummary>> topics) {}

    private final LiveActivityListener live;
    private final Supplier<Optional<UnsettledCounts>> census;
    private final Supplier<Optional<List<TopicSummary>>> topics;
    private volatile @Nullable CachedCounts counted;

    /** Creates the page for keys only. */
    OverviewSection(LiveActivityListener live, Supplier<Optional<UnsettledCounts>> census) {
        this.live = live;
        this.census = census;
        this.topics = Optional::empty;
    }

    /** Creates the page for keys and an outbox. */
    OverviewSection(
            LiveActivityListener live,
            Supplier<Optional<UnsettledCounts>> census,
            Supplier<List<TopicSummary>> topics) {
        this.live = live;
        this.census = census;
        this.topics = () -> Optional.of(topics.get());
    }

    @Override
    public String path() {
        return "";
    }

    @Override
    public String title() {
        return "Overview";
    }

    @Override
    public ConsolePage get(AuthenticatedRequest visit) {
        var content = SafeHtml.element("div")
                .with("id", "live")
                .with("data-live", visit.link("live"))
                .content(numbers(visit));
        return visit.subPath().isEmpty() ? ConsolePage.of("Overview", content) : ConsolePage.notFound();
    }

    /** Returns the section that serves the refreshed part of the page. */
    ConsoleSection part() {
        return new ConsoleSection() {
            @Override
            public String path() {
                return "live";
            }

            @Override
            public String title() {
                return OverviewSection.this.title();
            }

            @Override
            public boolean inMenu() {
                return false;
            }

            @Override
            public ConsolePage get(AuthenticatedRequest visit) {
                return ConsolePage.fragment(numbers(visit));
            }
        };
    }

    private SafeHtml numbers(AuthenticatedRequest visit) {
        var counted = counted();
        var store = new ArrayList<SafeHtml>();
        counted.census().ifPresent(now -> store.addAll(keys(visit, now)));
        counted.topics().ifPresent(list -> store.addAll(messages(visit, list)));
        return SafeHtml.concat(
                SafeHtml.element("h2").content("Store"),
                MetricTiles.of(store),
                SafeHtml.element("h2").content("This instance, last 10 minutes"),
                MetricTiles.of(charts()));
    }

    private static List<SafeHtml> keys(AuthenticatedRequest visit, UnsettledCounts now) {
        String prefix = now.more() ? "at least " : "";
        var store = new ArrayList<SafeHtml>();
        store.add(MetricTiles.tile("In progress", prefix + now.inProgress(), "in the whole store", false));
        store.add(MetricTiles.tile(
                "Lease expired", prefix + now.leaseOver(), "the runner crashed or hangs", now.leaseOver() > 0));
        store.add(MetricTiles.link(
                visit.link("attention"),
                "Attention",
                prefix + now.attention(),
                "keys need a decision",
                now.attention() > 0));
        store.add(MetricTiles.tile(
                "Oldest in progress",
                now.oldest().map(ConsoleTimeFormat::brief).orElse("none"),
                "since its first claim",
                now.oldest()
                        .filter(age -> age.compareTo(Duration.ofMinutes(5)) > 0)
                        .isPresent()));
        return store;
    }

    private static List<SafeHtml> messages(AuthenticatedRequest visit, List<TopicSummary> topics) {
        String prefix = topics.stream().anyMatch(TopicSummary::more) ? "at least " : "";
        long dead = topics.stream().mapToLong(TopicSummary::dead).sum();
        var oldest = topics.stream().flatMap(topic -> topic.oldest().stream()).max(Comparator.naturalOrder());
        return List.of(
                MetricTiles.link(
                        visit.link(DeadLetterSection.NAME), "Dead letters", prefix + dead, "need a decision", dead > 0),
                MetricTiles.link(
                        visit.link(OutboxSection.NAME),
                        "Oldest message",
                        oldest.map(ConsoleTimeFormat::brief).orElse("none"),
                        "staged and not yet delivered",
                        oldest.filter(age -> age.compareTo(ALARMING_AGE) > 0).isPresent()));
    }

    private List<SafeHtml> charts() {
        var charts = new ArrayList<>(MetricTiles.charts(live, ActivityKind.KEYS));
        charts.add(MetricTiles.chart(
                "Store latency",
                String.format(Locale.ROOT, "%.1f ms", live.storeMillisLastMinute()),
                "mean round trip in the last minute (one batch)",
                SparklineChart.of(live.storeMillis(), "Store latency over the last 10 minutes")));
        return charts;
    }

    private CachedCounts counted() {
        var last = counted;
        var now = live.now();
        if (last == null || last.at().plus(CACHE_TIME).isBefore(now)) {
            last = new CachedCounts(now, census.get(), topics.get());
            counted = last;
        }
        return last;
    }
}
