package dev.refrain.spring.summary;

import dev.refrain.spring.RefrainAutoConfiguration;
import dev.refrain.spring.RefrainStores;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;

/** Configures the line that an application logs when it has started. */
@AutoConfiguration(after = RefrainAutoConfiguration.class)
@ConditionalOnBean(RefrainStores.class)
public class RefrainSummaryAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "refrainStartSummary")
    StartSummaryLogger refrainStartSummary(ApplicationContext application) {
        return new StartSummaryLogger(application);
    }
}
