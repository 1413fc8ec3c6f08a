package dev.refrain.spring.transaction;

import dev.refrain.spring.internal.transaction.ManagerDataSourcePostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** Lets transactions of JPA, and of JDBC managers other than Spring's plain ones, stop waiting for a connection in time. */
@AutoConfiguration
@ConditionalOnClass({DataSourceTransactionManager.class, PlatformTransactionManager.class})
@ConditionalOnProperty(name = "refrain.enabled", matchIfMissing = true)
public class RefrainTransactionAutoConfiguration {

    /** Creates the post-processor, before the transaction managers. */
    @Bean
    @ConditionalOnMissingBean
    static ManagerDataSourcePostProcessor refrainManagerDataSources() {
        return new ManagerDataSourcePostProcessor();
    }
}
