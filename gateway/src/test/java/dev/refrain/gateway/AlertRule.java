package dev.refrain.gateway;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * A rule of {@code alerts.yaml}, judged as Prometheus would, over what was scraped. It knows as much of PromQL as the rules use; a rule that
 * uses more is refused, so that nobody takes it for tested.
 */
record AlertRule(String name, String expression, Duration lasting) {

    private static final Pattern COMPARED = Pattern.compile("(.+) > (.+)");
    private static final Pattern TIMES = Pattern.compile("([0-9.]+) \\* (.+)");
    private static final Pattern NUMBER = Pattern.compile("[0-9.]+");
    private static final Pattern FOLDED = Pattern.compile("(sum|max)\\((.+)\\)");
    private static final Pattern RATE = Pattern.compile("rate\\((.+)\\[(\\d+)m]\\)");
    private static final Pattern SELECTED = Pattern.compile("([a-z_]+)(?:\\{([a-z]+=\"[^\"]*\")})?");

    static List<AlertRule> all() throws IOException {
        try (var in = Gateway.class.getResourceAsStream("alerts.yaml")) {
            var rules = new ArrayList<AlertRule>();
            for (var rule : YAMLMapper.shared().readTree(in).at("/groups/0/rules")) {
                String lasting = rule.path("for").asString("0m");
                rules.add(new AlertRule(
                        rule.path("alert").asString(),
                        rule.path("expr").asString(),
                        Duration.ofMinutes(Integer.parseInt(lasting.replace("m", "")))));
            }
            return rules;
        }
    }

    /** Whether it fires at the last of these: it has held at each of them for as long as it has to. */
    boolean fires(List<Scrape> scrapes) {
        Optional<Duration> since = Optional.empty();
        for (int i = 1; i <= scrapes.size(); i++) {
            var seen = scrapes.subList(0, i);
            since = holds(seen) ? since.or(() -> Optional.of(seen.getLast().at())) : Optional.empty();
        }
        return since.isPresent() && scrapes.getLast().at().minus(since.get()).compareTo(lasting) >= 0;
    }

    private boolean holds(List<Scrape> seen) {
        var compared = match(COMPARED, expression);
        var left = value(compared.group(1), seen);
        var right = value(compared.group(2), seen);
        return left.isPresent() && right.isPresent() && left.getAsDouble() > right.getAsDouble();
    }

    private static OptionalDouble value(String term, List<Scrape> seen) {
        if (NUMBER.matcher(term).matches()) {
            return OptionalDouble.of(Double.parseDouble(term));
        }
        var times = TIMES.matcher(term);
        if (times.matches()) {
            double factor = Double.parseDouble(times.group(1));
            return value(times.group(2), seen).stream().map(v -> factor * v).findFirst();
        }
        var folded = match(FOLDED, term);
        var values = series(folded.group(2), seen).toArray();
        if (values.length == 0) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(
                folded.group(1).equals("sum")
                        ? DoubleStream.of(values).sum()
                        : DoubleStream.of(values).max().orElseThrow());
    }

    private static DoubleStream series(String vector, List<Scrape> seen) {
        var rate = RATE.matcher(vector);
        var selected = match(SELECTED, rate.matches() ? rate.group(1) : vector);
        var last = seen.getLast();
        var names = last.series(selected.group(1), Optional.ofNullable(selected.group(2)));
        if (!rate.matches()) {
            return names.stream().mapToDouble(last::value);
        }
        var from = last.at().minusMinutes(Integer.parseInt(rate.group(2)));
        return names.stream().flatMapToDouble(name -> {
            var within = seen.stream()
                    .filter(scrape -> scrape.at().compareTo(from) > 0 && scrape.has(name))
                    .toList();
            // Of a series that was seen once nobody knows how fast it grows.
            return within.size() < 2
                    ? DoubleStream.empty()
                    : DoubleStream.of((last.value(name) - within.getFirst().value(name))
                            / last.at().minus(within.getFirst().at()).toSeconds());
        });
    }

    private static Matcher match(Pattern pattern, String text) {
        var matcher = pattern.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("This is more PromQL than is understood here: " + text);
        }
        return matcher;
    }
}
