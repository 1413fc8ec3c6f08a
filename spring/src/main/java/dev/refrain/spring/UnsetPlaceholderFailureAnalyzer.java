package dev.refrain.spring;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.util.PlaceholderResolutionException;

/** Reports a setting under {@code refrain} whose placeholder nothing sets, as an environment variable that is missing. */
final class UnsetPlaceholderFailureAnalyzer extends AbstractFailureAnalyzer<PlaceholderResolutionException>
        implements Ordered {

    private final Environment environment;

    UnsetPlaceholderFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    /** Before Spring Boot's own analyzers. */
    @Override
    public int getOrder() {
        return -1;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, PlaceholderResolutionException unset) {
        String placeholder = unset.getPlaceholder();
        return environment instanceof ConfigurableEnvironment configured
                ? configured.getPropertySources().stream()
                        .flatMap(source -> settingWith(placeholder, source).stream())
                        .findFirst()
                        .map(setting -> new FailureAnalysis(
                                "The value of " + setting + " names ${" + placeholder + "}, which nothing sets.",
                                "Set " + placeholder
                                        + " (an environment variable, a system property or a setting), write"
                                        + " a default (${" + placeholder + ":…}), or remove the setting.",
                                unset))
                        .orElse(null)
                : null;
    }

    /** Returns the setting and where it is made, without its value: that may have a secret beside the placeholder. */
    private static Optional<String> settingWith(String placeholder, PropertySource<?> source) {
        if (source instanceof EnumerablePropertySource<?> listed) {
            for (String name : listed.getPropertyNames()) {
                var setting = ConfigurationPropertyName.adapt(name, '.');
                if (!setting.isEmpty()
                        && setting.getElement(0, ConfigurationPropertyName.Form.UNIFORM)
                                .equals("refrain")
                        && String.valueOf(listed.getProperty(name)).contains("${" + placeholder + "}")) {
                    var origin = OriginLookup.getOrigin(source, name);
                    return Optional.of(setting + (origin == null ? "" : " (" + origin + ")"));
                }
            }
        }
        return Optional.empty();
    }
}
