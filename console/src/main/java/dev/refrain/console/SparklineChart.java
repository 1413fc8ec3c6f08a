package dev.refrain.console;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Builds small SVG charts on the server. */
final class SparklineChart {

    private static final int WIDTH = 240;
    private static final int HEIGHT = 48;

    private SparklineChart() {}

    /**
     * Builds a chart.
     *
     * @param meaning the text for screen readers
     */
    static SafeHtml of(List<? extends Number> values, String meaning) {
        double max = values.stream().mapToDouble(Number::doubleValue).max().orElse(0);
        double scale = max == 0 ? 0 : (HEIGHT - 4) / max;
        String line = IntStream.range(0, values.size())
                .mapToObj(i -> String.format(
                        Locale.ROOT,
                        "%.1f,%.1f",
                        i * WIDTH / (double) Math.max(1, values.size() - 1),
                        HEIGHT - 2 - values.get(i).doubleValue() * scale))
                .collect(Collectors.joining(" "));
        return SafeHtml.element("svg")
                .with("class", "spark")
                .with("viewBox", "0 0 " + WIDTH + " " + HEIGHT)
                .with("preserveAspectRatio", "none")
                .with("role", "img")
                .with("aria-label", meaning)
                .content(
                        SafeHtml.element("polygon")
                                .with("points", "0," + HEIGHT + " " + line + " " + WIDTH + "," + HEIGHT)
                                .content(""),
                        SafeHtml.element("polyline").with("points", line).content(""));
    }
}
