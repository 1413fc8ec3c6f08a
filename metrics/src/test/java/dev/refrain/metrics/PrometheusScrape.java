package dev.refrain.metrics;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Metrics as Prometheus would have scraped them. */
public record PrometheusScrape(Duration at, Map<String, Double> values) {

    public static PrometheusScrape of(Duration at, String text) {
        return new PrometheusScrape(
                at,
                text.lines()
                        .filter(line -> !line.startsWith("#") && !line.isBlank())
                        .collect(Collectors.toMap(
                                line -> line.substring(0, line.lastIndexOf(' ')),
                                line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)),
                                (one, other) -> one)));
    }

    /** Returns the series of this name, filtered by label if given. */
    Set<String> series(String name, Optional<String> label) {
        return values.keySet().stream()
                .filter(series -> series.equals(name) || series.startsWith(name + "{"))
                .filter(series -> label.map(series::contains).orElse(true))
                .collect(Collectors.toSet());
    }

    static String label(String series, String name) {
        int begin = series.indexOf(name + "=\"") + name.length() + 2;
        return series.substring(begin, series.indexOf('"', begin));
    }

    boolean has(String series) {
        return values.containsKey(series);
    }

    double value(String series) {
        return values.get(series);
    }

    static Function<PrometheusScrape, String> written(String series) {
        return scrape -> scrape.has(series) ? Double.toString(scrape.value(series)) : "_";
    }
}
