package dev.refrain.spring;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;

/**
 * Reports settings under {@code refrain} that do not exist, with those that do. Values are not shown, as Spring Boot's own report would: a
 * misspelled {@code refrain.encryption.keys} has secrets in it.
 */
final class UnknownSettingFailureAnalyzer extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException>
        implements Ordered {

    private static final String ROOT = "refrain";

    /** Before Spring Boot's own analyzer of this exception. */
    @Override
    public int getOrder() {
        return -1;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(
            Throwable rootFailure, UnboundConfigurationPropertiesException unbound) {
        var ours = unbound.getUnboundProperties().stream()
                .filter(property -> property.getName()
                        .getElement(0, ConfigurationPropertyName.Form.UNIFORM)
                        .equals(ROOT))
                .toList();
        if (ours.isEmpty()) {
            return null;
        }
        return new FailureAnalysis(
                ours.stream().map(UnknownSettingFailureAnalyzer::sentence).collect(Collectors.joining(" ")),
                "Correct the name, or remove the setting. docs/http.md lists all settings with their values.",
                unbound);
    }

    private static String sentence(ConfigurationProperty property) {
        var name = property.getName();
        Type known = RefrainProperties.class;
        var path = new StringBuilder(ROOT);
        for (int i = 1; i < name.getNumberOfElements(); i++) {
            var element = name.getElement(i, ConfigurationPropertyName.Form.UNIFORM);
            Type next = member(known, element);
            if (next == null) {
                break;
            }
            known = next;
            path.append('.').append(name.getElement(i, ConfigurationPropertyName.Form.ORIGINAL));
        }
        return "There is no setting " + name + (property.getOrigin() == null ? "" : " (" + property.getOrigin() + ")")
                + ". " + path + settingsOf(known);
    }

    /** Returns the type of a setting that has settings of its own; null for any other one. */
    private static @Nullable Type member(Type type, String name) {
        if (type instanceof ParameterizedType map && map.getRawType() == Map.class) {
            return map.getActualTypeArguments()[1];
        }
        return type instanceof Class<?> settings && settings.isRecord()
                ? Arrays.stream(settings.getRecordComponents())
                        .filter(component -> component.getName().equalsIgnoreCase(name))
                        .map(RecordComponent::getGenericType)
                        .findFirst()
                        .orElse(null)
                : null;
    }

    private static String settingsOf(Type type) {
        return type instanceof Class<?> settings && settings.isRecord()
                ? " has: "
                        + Arrays.stream(settings.getRecordComponents())
                                .map(component -> kebab(component.getName()))
                                .collect(Collectors.toCollection(TreeSet::new))
                                .stream()
                                .collect(Collectors.joining(", "))
                        + "."
                : " is one value.";
    }

    private static String kebab(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
