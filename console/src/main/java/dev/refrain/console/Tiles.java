package dev.refrain.console;

import dev.refrain.console.Live.Count;
import java.util.Collection;
import java.util.List;

/** Numbers side by side, some with a chart. */
final class Tiles {

    private Tiles() {}

    static Html of(List<Html> tiles) {
        return Html.element("div").with("class", "tiles").of(tiles);
    }

    static Html tile(String title, String number, String meaning, boolean alarming) {
        return Html.element("div").with("class", named(alarming)).of(lines(title, number, meaning));
    }

    /** One that leads to what it counts. */
    static Html link(String place, String title, String number, String meaning, boolean alarming) {
        return Html.element("a")
                .with("class", named(alarming))
                .with("href", place)
                .of(lines(title, number, meaning));
    }

    static Html chart(String title, String number, String meaning, Html picture) {
        return Html.element("div").with("class", "tile").of(lines(title, number, meaning), picture);
    }

    /** What this instance counted in the last ten minutes. */
    static List<Html> charts(Live live, Collection<Count> counts) {
        return counts.stream()
                .map(count -> {
                    var series = live.of(count);
                    return chart(
                            count.title(),
                            series.lately() + " / min",
                            series.ever() + " " + count.meaning() + " since the start",
                            Sparkline.of(series.values(), count.title() + " over the last ten minutes"));
                })
                .toList();
    }

    private static String named(boolean alarming) {
        return alarming ? "tile alarm" : "tile";
    }

    private static Html lines(String title, String number, String meaning) {
        return Html.all(
                Html.element("span").with("class", "what").of(title),
                Html.element("strong").of(number),
                Html.element("span").with("class", "small").of(meaning));
    }
}
