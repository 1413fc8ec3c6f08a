package dev.refrain.spring;

import dev.refrain.http.internal.settings.SettingParser;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;

/** Reports a setting under {@code refrain} that may be one of few words, and is none of them. */
final class SettingValueFailureAnalyzer extends AbstractFailureAnalyzer<BindException> implements Ordered {

    /** Before Spring Boot's own analyzer of this exception. */
    @Override
    public int getOrder() {
        return -1;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException rejected) {
        var name = rejected.getName();
        var property = rejected.getProperty();
        var words = rejected.getTarget().getType().resolve();
        if (property == null
                || words == null
                || !words.isEnum()
                || !name.getElement(0, ConfigurationPropertyName.Form.UNIFORM).equals("refrain")) {
            return null;
        }
        return new FailureAnalysis(
                SettingParser.notOneOf(words, name.toString(), property.getValue()),
                "Set it to one of these words"
                        + (property.getOrigin() == null ? "." : " (it is set in " + property.getOrigin() + ")."),
                rejected);
    }
}
