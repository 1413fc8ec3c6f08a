package dev.refrain.spring;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Configures the check that nothing is left unprotected in silence. It works without any other part of the starter. */
@AutoConfiguration(after = RefrainAutoConfiguration.class)
public class RefrainProtectionCheckAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "refrainProtectionCheck")
    static UnprotectedStartGuard refrainProtectionCheck(
            ConfigurableListableBeanFactory beans, Environment environment) {
        return new UnprotectedStartGuard(beans, environment);
    }
}
