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

/** The front page: what happens now. Its script asks for {@code live} every few seconds. */
final class OverviewSection implements ConsoleSection {

    /** The store is not counted anew for every visitor. */
    private static final Duration FRESH = Duration.ofSeconds(3);

    /** A message that waits for so long is put off again and again, or nobody delivers it: when the shipped alert fires, too. */
    private static final Duration LONG_STAGED = Duration.ofMinutes(15);

    private record CachedCounts(Instant at, Optional<UnsettledCounts> census, Optional<List<TopicSummary>> topics) {}

    private final LiveActivityListener live;
    private final Supplier<Optional<UnsettledCounts>> census;
    private final Supplier<Optional<List<TopicSummary>>> topics;
    private volatile @Nullable CachedCounts counted;

    /** Of keys alone. */
    OverviewSection(LiveActivityListener live, Supplier<Optional<UnsettledCounts>> census) {
        this.live = live;
        this.census = census;
        this.topics = Optional::empty;
    }

    /** Of an outbox too. */
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
        return "Now";
    }

    @Override
    public ConsolePage get(AuthenticatedRequest visit) {
        var content = SafeHtml.element("div")
                .with("id", "live")
                .with("data-live", visit.link("live"))
                .content(numbers(visit));
        return visit.subPath().isEmpty() ? ConsolePage.of("Now", content) : ConsolePage.notFound();
    }

    /** The part that changes, for the script of the page. */
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
        counted.topics().ifPresent(there -> store.addAll(messages(visit, there)));
        return SafeHtml.concat(
                SafeHtml.element("h2").content("The store"),
                MetricTiles.of(store),
                SafeHtml.element("h2").content("This instance, the last ten minutes"),
                MetricTiles.of(charts()));
    }

    private static List<SafeHtml> keys(AuthenticatedRequest visit, UnsettledCounts now) {
        String least = now.more() ? "at least " : "";
        var store = new ArrayList<SafeHtml>();
        store.add(MetricTiles.tile("In progress", least + now.inProgress(), "in the whole store", false));
        store.add(MetricTiles.tile(
                "Lease over", least + now.leaseOver(), "their runner is gone or hangs", now.leaseOver() > 0));
        store.add(MetricTiles.link(
                visit.link("attention"),
                "Attention",
                least + now.attention(),
                "wait for a decision",
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
        String least = topics.stream().anyMatch(TopicSummary::more) ? "at least " : "";
        long dead = topics.stream().mapToLong(TopicSummary::dead).sum();
        var oldest = topics.stream().flatMap(topic -> topic.oldest().stream()).max(Comparator.naturalOrder());
        return List.of(
                MetricTiles.link(
                        visit.link(DeadLetterSection.NAME),
                        "Dead letters",
                        least + dead,
                        "wait for a decision",
                        dead > 0),
                MetricTiles.link(
                        visit.link(OutboxSection.NAME),
                        "Oldest message",
                        oldest.map(ConsoleTimeFormat::brief).orElse("none"),
                        "since it was staged, not delivered yet",
                        oldest.filter(age -> age.compareTo(LONG_STAGED) > 0).isPresent()));
    }

    private List<SafeHtml> charts() {
        var charts = new ArrayList<>(MetricTiles.charts(live, ActivityKind.OF_KEYS));
        charts.add(MetricTiles.chart(
                "Store latency",
                String.format(Locale.ROOT, "%.1f ms", live.storeMillisLastMinute()),
                "mean of a trip in the last minute, a batch of calls each",
                SparklineChart.of(live.storeMillis(), "Store latency over the last ten minutes")));
        return charts;
    }

    private CachedCounts counted() {
        var last = counted;
        var now = live.now();
        if (last == null || last.at().plus(FRESH).isBefore(now)) {
            last = new CachedCounts(now, census.get(), topics.get());
            counted = last;
        }
        return last;
    }
}
