package dev.refrain.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** A rule of {@code alerts.yaml}, as it is shipped. */
public record AlertRule(String group, String name, String expression, Map<String, String> annotations) {

    private static final Pattern METRIC = Pattern.compile("refrain_[a-z_]+");
    private static final Pattern LABELS = Pattern.compile("by \\(([a-z_, ]+)\\)|([a-z_]+)=~?\"");

    static InputStream file() {
        return MicrometerListener.class.getResourceAsStream("alerts.yaml");
    }

    public static List<AlertRule> all() throws IOException {
        try (var in = file()) {
            var rules = new ArrayList<AlertRule>();
            for (var group : YAMLMapper.shared().readTree(in).at("/groups")) {
                for (var rule : group.path("rules")) {
                    var annotations = new TreeMap<String, String>();
                    rule.path("annotations")
                            .properties()
                            .forEach(entry -> annotations.put(
                                    entry.getKey(), entry.getValue().asString()));
                    rules.add(new AlertRule(
                            group.path("name").asString(),
                            rule.path("alert").asString(),
                            rule.path("expr").asString(),
                            annotations));
                }
            }
            return rules;
        }
    }

    /** Fails unless the scrape has each metric that the expression names, with each of its labels. */
    public void assertExportedBy(PrometheusScrape scrape) {
        for (String metric : metrics()) {
            assertThat(scrape.labels(metric))
                    .as("labels of %s, for %s: %s", metric, name, expression)
                    .isPresent()
                    .get()
                    .satisfies(labels -> assertThat(labels).containsAll(labels()));
        }
    }

    Set<String> metrics() {
        var names = new TreeSet<String>();
        METRIC.matcher(expression).results().forEach(found -> names.add(found.group()));
        return names;
    }

    private Set<String> labels() {
        var names = new TreeSet<String>();
        LABELS.matcher(expression).results().forEach(found -> {
            if (found.group(1) == null) {
                names.add(found.group(2));
            } else {
                names.addAll(List.of(found.group(1).split(", *")));
            }
        });
        return names;
    }
}
