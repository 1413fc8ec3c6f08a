package dev.refrain.console;

import dev.refrain.console.Live.Count;
import java.util.Collection;
import java.util.List;

/** Numbers side by side, some with a chart. */
final class Tiles {

    private Tiles() {}

    static Html of(List<Html> tiles) {
        return Html.element("div").with("class", "tiles").content(tiles);
    }

    static Html tile(String title, String number, String meaning, boolean alarming) {
        return Html.element("div").with("class", named(alarming)).content(lines(title, number, meaning));
    }

    /** One that leads to what it counts. */
    static Html link(String place, String title, String number, String meaning, boolean alarming) {
        return Html.element("a")
                .with("class", named(alarming))
                .with("href", place)
                .content(lines(title, number, meaning));
    }

    static Html chart(String title, String number, String meaning, Html picture) {
        return Html.element("div").with("class", "tile").content(lines(title, number, meaning), picture);
    }

    /** What this instance counted in the last ten minutes. */
    static List<Html> charts(Live live, Collection<Count> counts) {
        return counts.stream()
                .map(count -> {
                    var series = live.of(count);
                    return chart(
                            count.title(),
                            series.lastMinute() + " / min",
                            series.total() + " " + count.meaning() + " since the start",
                            Sparkline.of(series.values(), count.title() + " over the last ten minutes"));
                })
                .toList();
    }

    private static String named(boolean alarming) {
        return alarming ? "tile alarm" : "tile";
    }

    private static Html lines(String title, String number, String meaning) {
        return Html.concat(
                Html.element("span").with("class", "what").content(title),
                Html.element("strong").content(number),
                Html.element("span").with("class", "small").content(meaning));
    }
}
