package dev.refrain.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Rule of {@code alerts.yaml}, evaluated over scrapes as Prometheus would. Supports only the part of PromQL that the rules use, and
 * rejects everything else, so that no rule goes untested.
 */
public record AlertRule(String group, String name, String expression, Duration lasting) {

    private static final Pattern COMPARED = Pattern.compile("(.+) > (.+)");
    private static final Pattern TIMES = Pattern.compile("([0-9.]+) \\* (.+)");
    private static final Pattern NUMBER = Pattern.compile("[0-9.]+");
    private static final Pattern FOLDED = Pattern.compile("(sum|max) ?(?:by \\(([a-z]+)\\) )?\\((.+)\\)");
    private static final Pattern RATE = Pattern.compile("rate\\((.+)\\[(\\d+)m]\\)");
    private static final Pattern SELECTED = Pattern.compile("([a-z_]+)(?:\\{([a-z]+=\"[^\"]*\")})?");

    /** Opens the shipped rules. */
    static InputStream file() {
        return MicrometerListener.class.getResourceAsStream("alerts.yaml");
    }

    public static List<AlertRule> all() throws IOException {
        try (var in = file()) {
            var rules = new ArrayList<AlertRule>();
            for (var group : YAMLMapper.shared().readTree(in).at("/groups")) {
                for (var rule : group.path("rules")) {
                    String lasting = rule.path("for").asString("0m");
                    rules.add(new AlertRule(
                            group.path("name").asString(),
                            rule.path("alert").asString(),
                            rule.path("expr").asString(),
                            Duration.ofMinutes(Integer.parseInt(lasting.replace("m", "")))));
                }
            }
            return rules;
        }
    }

    /** Returns the rules that fire at the last scrape; checked against Prometheus itself if it is installed. */
    public static Set<String> firing(List<PrometheusScrape> scrapes, Path folder)
            throws IOException, InterruptedException {
        var rules = all();
        var firing = rules.stream()
                .filter(rule -> rule.fires(scrapes))
                .map(AlertRule::name)
                .collect(Collectors.toCollection(TreeSet::new));
        var promtool = Promtool.find();
        if (promtool.isPresent()) {
            assertThat(promtool.get().disagreement(scrapes, rules, firing, folder))
                    .isEmpty();
        }
        return firing;
    }

    /** Returns whether the rule fires at the last scrape: its expression held long enough. */
    private boolean fires(List<PrometheusScrape> scrapes) {
        Optional<Duration> since = Optional.empty();
        for (int i = 1; i <= scrapes.size(); i++) {
            var scrapesSoFar = scrapes.subList(0, i);
            since = holds(scrapesSoFar)
                    ? since.or(() -> Optional.of(scrapesSoFar.getLast().at()))
                    : Optional.empty();
        }
        return since.isPresent() && scrapes.getLast().at().minus(since.get()).compareTo(lasting) >= 0;
    }

    private boolean holds(List<PrometheusScrape> scrapesSoFar) {
        var compared = match(COMPARED, expression);
        var right = values(compared.group(2), scrapesSoFar);
        return values(compared.group(1), scrapesSoFar).stream()
                .anyMatch(left -> right.stream().anyMatch(bound -> left > bound));
    }

    /** Returns one value per group. */
    private static Collection<Double> values(String term, List<PrometheusScrape> scrapesSoFar) {
        if (NUMBER.matcher(term).matches()) {
            return List.of(Double.valueOf(term));
        }
        var times = TIMES.matcher(term);
        if (times.matches()) {
            double factor = Double.parseDouble(times.group(1));
            return values(times.group(2), scrapesSoFar).stream()
                    .map(v -> factor * v)
                    .toList();
        }
        var folded = match(FOLDED, term);
        var by = Optional.ofNullable(folded.group(2));
        var groups = new HashMap<String, Double>();
        series(folded.group(3), scrapesSoFar)
                .forEach((name, value) -> groups.merge(
                        by.map(label -> PrometheusScrape.label(name, label)).orElse(""),
                        value,
                        folded.group(1).equals("sum") ? Double::sum : Double::max));
        return groups.values();
    }

    private static Map<String, Double> series(String vector, List<PrometheusScrape> scrapesSoFar) {
        var rate = RATE.matcher(vector);
        var selected = match(SELECTED, rate.matches() ? rate.group(1) : vector);
        var last = scrapesSoFar.getLast();
        var values = new HashMap<String, Double>();
        for (String name : last.series(selected.group(1), Optional.ofNullable(selected.group(2)))) {
            if (rate.matches()) {
                growth(name, last.at().minusMinutes(Integer.parseInt(rate.group(2))), scrapesSoFar)
                        .ifPresent(growth -> values.put(name, growth));
            } else if (!Double.isNaN(last.value(name))) {
                values.put(name, last.value(name));
            }
        }
        return values;
    }

    /** Rate per second. A series with one sample has none. */
    private static OptionalDouble growth(String name, Duration from, List<PrometheusScrape> scrapesSoFar) {
        var within = scrapesSoFar.stream()
                .filter(scrape -> scrape.at().compareTo(from) > 0 && scrape.has(name))
                .toList();
        return within.size() < 2
                ? OptionalDouble.empty()
                : OptionalDouble.of((within.getLast().value(name)
                                - within.getFirst().value(name))
                        / within.getLast().at().minus(within.getFirst().at()).toSeconds());
    }

    private static Matcher match(Pattern pattern, String text) {
        var matcher = pattern.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("This is more PromQL than is understood here: " + text);
        }
        return matcher;
    }
}
