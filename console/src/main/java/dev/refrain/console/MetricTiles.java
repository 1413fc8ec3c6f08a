package dev.refrain.console;

import dev.refrain.console.LiveActivityListener.ActivityKind;
import java.util.Collection;
import java.util.List;

/** Builds tiles with a number, some with a chart. */
final class MetricTiles {

    private MetricTiles() {}

    static SafeHtml of(List<SafeHtml> tiles) {
        return SafeHtml.element("div").with("class", "tiles").content(tiles);
    }

    static SafeHtml tile(String title, String number, String meaning, boolean alarming) {
        return SafeHtml.element("div").with("class", cssClass(alarming)).content(lines(title, number, meaning));
    }

    /** Builds a tile that links to what it counts. */
    static SafeHtml link(String place, String title, String number, String meaning, boolean alarming) {
        return SafeHtml.element("a")
                .with("class", cssClass(alarming))
                .with("href", place)
                .content(lines(title, number, meaning));
    }

    static SafeHtml chart(String title, String number, String meaning, SafeHtml picture) {
        return SafeHtml.element("div").with("class", "tile").content(lines(title, number, meaning), picture);
    }

    /** Builds a chart for each kind, with the counts of this instance in the last ten minutes. */
    static List<SafeHtml> charts(LiveActivityListener live, Collection<ActivityKind> counts) {
        return counts.stream()
                .map(count -> {
                    var series = live.of(count);
                    return chart(
                            count.title(),
                            series.lastMinute() + " / min",
                            series.total() + " " + count.meaning() + " since startup",
                            SparklineChart.of(series.values(), count.title() + " over the last ten minutes"));
                })
                .toList();
    }

    private static String cssClass(boolean alarming) {
        return alarming ? "tile alarm" : "tile";
    }

    private static SafeHtml lines(String title, String number, String meaning) {
        return SafeHtml.concat(
                SafeHtml.element("span").with("class", "what").content(title),
                SafeHtml.element("strong").content(number),
                SafeHtml.element("span").with("class", "small").content(meaning));
    }
}
