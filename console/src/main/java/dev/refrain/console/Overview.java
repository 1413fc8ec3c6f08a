package dev.refrain.console;

import dev.refrain.console.Live.Count;
import dev.refrain.store.Census;
import dev.refrain.store.outbox.TopicView;
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
final class Overview implements Section {

    /** The store is not counted anew for every visitor. */
    private static final Duration FRESH = Duration.ofSeconds(3);

    /** A message that waits for so long is put off again and again, or nobody delivers it: when the shipped alert fires, too. */
    private static final Duration LONG_STAGED = Duration.ofMinutes(15);

    private record Counted(Instant at, Census census, Optional<List<TopicView>> topics) {}

    private final Live live;
    private final Supplier<Census> census;
    private final Supplier<Optional<List<TopicView>>> topics;
    private volatile @Nullable Counted counted;

    /** Of keys alone. */
    Overview(Live live, Supplier<Census> census) {
        this.live = live;
        this.census = census;
        this.topics = Optional::empty;
    }

    /** Of an outbox too. */
    Overview(Live live, Supplier<Census> census, Supplier<List<TopicView>> topics) {
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
    public Page get(Visit visit) {
        var content = Html.element("div")
                .with("id", "live")
                .with("data-live", visit.link("live"))
                .content(numbers(visit));
        return visit.subPath().isEmpty() ? Page.of("Now", content) : Page.notFound();
    }

    /** The part that changes, for the script of the page. */
    Section part() {
        return new Section() {
            @Override
            public String path() {
                return "live";
            }

            @Override
            public String title() {
                return Overview.this.title();
            }

            @Override
            public boolean inMenu() {
                return false;
            }

            @Override
            public Page get(Visit visit) {
                return Page.fragment(numbers(visit));
            }
        };
    }

    private Html numbers(Visit visit) {
        var counted = counted();
        var now = counted.census();
        String least = now.more() ? "at least " : "";
        var store = new ArrayList<Html>();
        store.add(Tiles.tile("In progress", least + now.inProgress(), "in the whole store", false));
        store.add(Tiles.tile(
                "Lease over", least + now.leaseOver(), "their runner is gone or hangs", now.leaseOver() > 0));
        store.add(Tiles.link(
                visit.link("attention"),
                "Attention",
                least + now.attention(),
                "wait for a decision",
                now.attention() > 0));
        store.add(Tiles.tile(
                "Oldest in progress",
                now.oldest().map(Times::brief).orElse("none"),
                "since its first claim",
                now.oldest()
                        .filter(age -> age.compareTo(Duration.ofMinutes(5)) > 0)
                        .isPresent()));
        counted.topics().ifPresent(there -> store.addAll(messages(visit, there)));
        return Html.concat(
                Html.element("h2").content("The store"),
                Tiles.of(store),
                Html.element("h2").content("This instance, the last ten minutes"),
                Tiles.of(charts()));
    }

    private static List<Html> messages(Visit visit, List<TopicView> topics) {
        String least = topics.stream().anyMatch(TopicView::more) ? "at least " : "";
        long dead = topics.stream().mapToLong(TopicView::dead).sum();
        var oldest = topics.stream().flatMap(topic -> topic.oldest().stream()).max(Comparator.naturalOrder());
        return List.of(
                Tiles.link(visit.link(DeadLetters.NAME), "Dead letters", least + dead, "wait for a decision", dead > 0),
                Tiles.link(
                        visit.link(OutboxSection.NAME),
                        "Oldest message",
                        oldest.map(Times::brief).orElse("none"),
                        "since it was staged, not delivered yet",
                        oldest.filter(age -> age.compareTo(LONG_STAGED) > 0).isPresent()));
    }

    private List<Html> charts() {
        var charts = new ArrayList<>(Tiles.charts(live, Count.OF_KEYS));
        charts.add(Tiles.chart(
                "Store latency",
                String.format(Locale.ROOT, "%.1f ms", live.storeMillisLastMinute()),
                "mean of a trip in the last minute, a batch of calls each",
                Sparkline.of(live.storeMillis(), "Store latency over the last ten minutes")));
        return charts;
    }

    private Counted counted() {
        var last = counted;
        var now = live.now();
        if (last == null || last.at().plus(FRESH).isBefore(now)) {
            last = new Counted(now, census.get(), topics.get());
            counted = last;
        }
        return last;
    }
}
