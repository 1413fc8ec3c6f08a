package dev.refrain.spring.method;

import dev.refrain.Refrain;
import dev.refrain.spring.Idempotent;
import dev.refrain.spring.RefrainAutoConfiguration;
import dev.refrain.spring.transaction.SpringTransactionSource;
import dev.refrain.store.jdbc.JdbcStore;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;

/** Protects methods of any bean that are {@link Idempotent}. */
@AutoConfiguration(after = RefrainAutoConfiguration.class)
@ConditionalOnClass({DataSourceUtils.class, PlatformTransactionManager.class})
@ConditionalOnProperty(name = "refrain.enabled", matchIfMissing = true)
@Import(RefrainMethodAutoConfiguration.AutoProxyRegistrar.class)
public class RefrainMethodAutoConfiguration {

    /** Outside of transactions, which are innermost. */
    private static final int ORDER = Ordered.LOWEST_PRECEDENCE - 100;

    /** Everything is looked up when the first such method is called: advisors are made before other beans. */
    @Bean
    @ConditionalOnMissingBean(name = "refrainMethods")
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DefaultPointcutAdvisor refrainMethods(
            ObjectProvider<Refrain> refrain,
            ObjectProvider<JdbcStore> store,
            ObjectProvider<PlatformTransactionManager> manager,
            ObjectProvider<DataSource> source,
            BeanFactory beans) {
        var methods = new IdempotentMethodInterceptor(
                refrain::getObject,
                () -> {
                    var jdbc = store.getIfAvailable();
                    var transactions = manager.getIfAvailable();
                    var data = source.getIfAvailable();
                    return jdbc == null || transactions == null || data == null
                            ? Optional.empty()
                            : Optional.of(new IdempotentMethodInterceptor.MethodTransactions(
                                    jdbc.transactions(new SpringTransactionSource(transactions, data)), data));
                },
                beans);
        var advisor = new DefaultPointcutAdvisor(methods, methods);
        advisor.setOrder(ORDER);
        return advisor;
    }

    /** Sees to it that beans are wrapped at all. */
    static final class AutoProxyRegistrar implements ImportBeanDefinitionRegistrar {
        @Override
        public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
            AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
            AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
        }
    }
}
