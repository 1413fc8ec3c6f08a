package dev.refrain.console;

import dev.refrain.console.LiveActivityListener.ActivityKind;
import java.util.Collection;
import java.util.List;

/** Numbers side by side, some with a chart. */
final class MetricTiles {

    private MetricTiles() {}

    static SafeHtml of(List<SafeHtml> tiles) {
        return SafeHtml.element("div").with("class", "tiles").content(tiles);
    }

    static SafeHtml tile(String title, String number, String meaning, boolean alarming) {
        return SafeHtml.element("div").with("class", named(alarming)).content(lines(title, number, meaning));
    }

    /** One that leads to what it counts. */
    static SafeHtml link(String place, String title, String number, String meaning, boolean alarming) {
        return SafeHtml.element("a")
                .with("class", named(alarming))
                .with("href", place)
                .content(lines(title, number, meaning));
    }

    static SafeHtml chart(String title, String number, String meaning, SafeHtml picture) {
        return SafeHtml.element("div").with("class", "tile").content(lines(title, number, meaning), picture);
    }

    /** What this instance counted in the last ten minutes. */
    static List<SafeHtml> charts(LiveActivityListener live, Collection<ActivityKind> counts) {
        return counts.stream()
                .map(count -> {
                    var series = live.of(count);
                    return chart(
                            count.title(),
                            series.lastMinute() + " / min",
                            series.total() + " " + count.meaning() + " since the start",
                            SparklineChart.of(series.values(), count.title() + " over the last ten minutes"));
                })
                .toList();
    }

    private static String named(boolean alarming) {
        return alarming ? "tile alarm" : "tile";
    }

    private static SafeHtml lines(String title, String number, String meaning) {
        return SafeHtml.concat(
                SafeHtml.element("span").with("class", "what").content(title),
                SafeHtml.element("strong").content(number),
                SafeHtml.element("span").with("class", "small").content(meaning));
    }
}
