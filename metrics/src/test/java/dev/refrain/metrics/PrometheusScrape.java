package dev.refrain.metrics;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The values of one scrape of a Prometheus endpoint, by series: {@code name{label="value"}}. */
public record PrometheusScrape(Map<String, Double> values) {

    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"");

    public static PrometheusScrape of(String text) {
        return new PrometheusScrape(text.lines()
                .filter(line -> !line.startsWith("#") && !line.isBlank())
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.lastIndexOf(' ')),
                        line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)),
                        (one, other) -> one)));
    }

    /** Returns the names of the labels that the series of this metric have; empty if there is no such metric. */
    Optional<Set<String>> labels(String metric) {
        return values.keySet().stream()
                .filter(series -> series.equals(metric) || series.startsWith(metric + "{"))
                .findFirst()
                .map(series -> LABEL.matcher(series)
                        .results()
                        .map(found -> found.group(1))
                        .collect(Collectors.toSet()));
    }

    /** Returns the value of this series as a promtool test writes it. */
    String value(String series) {
        var value = values.get(series);
        return value == null ? "_" : value.toString();
    }
}
