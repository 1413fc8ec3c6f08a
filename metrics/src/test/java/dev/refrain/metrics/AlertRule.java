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
 * A rule of {@code alerts.yaml}, judged as Prometheus would, over what was scraped. It knows as much of PromQL as the rules use; a rule that
 * uses more is refused, so that nobody takes it for tested.
 */
public record AlertRule(String group, String name, String expression, Duration lasting) {

    private static final Pattern COMPARED = Pattern.compile("(.+) > (.+)");
    private static final Pattern TIMES = Pattern.compile("([0-9.]+) \\* (.+)");
    private static final Pattern NUMBER = Pattern.compile("[0-9.]+");
    private static final Pattern FOLDED = Pattern.compile("(sum|max) ?(?:by \\(([a-z]+)\\) )?\\((.+)\\)");
    private static final Pattern RATE = Pattern.compile("rate\\((.+)\\[(\\d+)m]\\)");
    private static final Pattern SELECTED = Pattern.compile("([a-z_]+)(?:\\{([a-z]+=\"[^\"]*\")})?");

    /** How they are shipped. */
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

    /** Those that fire at the last of these; Prometheus itself says the same, where it is there. */
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

    /** Whether it fires at the last of these: it has held at each of them for as long as it has to. */
    private boolean fires(List<PrometheusScrape> scrapes) {
        Optional<Duration> since = Optional.empty();
        for (int i = 1; i <= scrapes.size(); i++) {
            var seen = scrapes.subList(0, i);
            since = holds(seen) ? since.or(() -> Optional.of(seen.getLast().at())) : Optional.empty();
        }
        return since.isPresent() && scrapes.getLast().at().minus(since.get()).compareTo(lasting) >= 0;
    }

    private boolean holds(List<PrometheusScrape> seen) {
        var compared = match(COMPARED, expression);
        var right = values(compared.group(2), seen);
        return values(compared.group(1), seen).stream()
                .anyMatch(left -> right.stream().anyMatch(bound -> left > bound));
    }

    /** One for each group, or the one there is. */
    private static Collection<Double> values(String term, List<PrometheusScrape> seen) {
        if (NUMBER.matcher(term).matches()) {
            return List.of(Double.valueOf(term));
        }
        var times = TIMES.matcher(term);
        if (times.matches()) {
            double factor = Double.parseDouble(times.group(1));
            return values(times.group(2), seen).stream().map(v -> factor * v).toList();
        }
        var folded = match(FOLDED, term);
        var by = Optional.ofNullable(folded.group(2));
        var groups = new HashMap<String, Double>();
        series(folded.group(3), seen)
                .forEach((name, value) -> groups.merge(
                        by.map(label -> PrometheusScrape.label(name, label)).orElse(""),
                        value,
                        folded.group(1).equals("sum") ? Double::sum : Double::max));
        return groups.values();
    }

    private static Map<String, Double> series(String vector, List<PrometheusScrape> seen) {
        var rate = RATE.matcher(vector);
        var selected = match(SELECTED, rate.matches() ? rate.group(1) : vector);
        var last = seen.getLast();
        var values = new HashMap<String, Double>();
        for (String name : last.series(selected.group(1), Optional.ofNullable(selected.group(2)))) {
            if (rate.matches()) {
                growth(name, last.at().minusMinutes(Integer.parseInt(rate.group(2))), seen)
                        .ifPresent(growth -> values.put(name, growth));
            } else if (!Double.isNaN(last.value(name))) {
                values.put(name, last.value(name));
            }
        }
        return values;
    }

    /** In a second. Of a series that was seen once nobody knows how fast it grows. */
    private static OptionalDouble growth(String name, Duration from, List<PrometheusScrape> seen) {
        var within = seen.stream()
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
