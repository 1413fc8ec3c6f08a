package dev.refrain.spring;

import java.util.Collections;
import java.util.Set;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if {@code refrain.stores} names a store. */
public final class NamedStoreCondition extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        var names = names(context.getEnvironment());
        var message = ConditionMessage.forCondition("Named stores");
        return names.isEmpty()
                ? ConditionOutcome.noMatch(message.because("refrain.stores is not set"))
                : ConditionOutcome.match(message.found("store", "stores").items(names));
    }

    /** Returns the names of all stores in {@code refrain.stores}. */
    static Set<String> names(Environment environment) {
        return Binder.get(environment)
                .bind("refrain.stores", Bindable.mapOf(String.class, Object.class))
                .orElse(Collections.emptyMap())
                .keySet();
    }
}
