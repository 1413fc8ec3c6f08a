package dev.refrain.spring;

import java.util.Objects;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if a DataSource is chosen for the keys; a misnamed one matches too, so that the store's creation explains it. */
final class StoreDataSourceCondition extends SpringBootCondition implements ConfigurationCondition {

    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        var choice = StoreDataSourceChoice.of(
                Objects.requireNonNull(context.getBeanFactory(), "bean factory"), context.getEnvironment());
        var message = ConditionMessage.forCondition("DataSource of the keys");
        return choice instanceof StoreDataSourceChoice.Undecided undecided
                ? ConditionOutcome.noMatch(message.because(undecided.sentence()))
                : ConditionOutcome.match(message.because("a bean is chosen"));
    }
}
