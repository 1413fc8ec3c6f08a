package dev.refrain.spring.method;

import dev.refrain.spring.Idempotent;
import dev.refrain.spring.RefrainAutoConfiguration;
import dev.refrain.spring.RefrainStores;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.type.AnnotationMetadata;

/** Configures protection of {@link Idempotent} methods of any bean. */
@AutoConfiguration(after = RefrainAutoConfiguration.class)
@ConditionalOnProperty(name = "refrain.enabled", matchIfMissing = true)
@Import(RefrainMethodAutoConfiguration.AutoProxyRegistrar.class)
public class RefrainMethodAutoConfiguration {

    /** Advisor order: just outside of transactions, which are innermost. */
    private static final int ORDER = Ordered.LOWEST_PRECEDENCE - 100;

    /** Creates the advisor. It looks up other beans lazily, on the first call, because advisors are created before them. */
    @Bean
    @ConditionalOnMissingBean(name = "refrainMethods")
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DefaultPointcutAdvisor refrainMethods(ObjectProvider<RefrainStores> stores, ListableBeanFactory beans) {
        var methods = new IdempotentMethodInterceptor(stores::getObject, beans);
        var advisor = new DefaultPointcutAdvisor(methods, methods);
        advisor.setOrder(ORDER);
        return advisor;
    }

    /** Prepares all protected methods once the beans are there. */
    @Bean
    @ConditionalOnMissingBean(name = "refrainMethodCheck")
    static SmartInitializingSingleton refrainMethodCheck(
            @Qualifier("refrainMethods") ObjectProvider<DefaultPointcutAdvisor> advisors,
            ObjectProvider<RefrainStores> stores) {
        // Without a store the check of the whole application refuses the start, and names everything that lacks it.
        return () -> advisors.ifAvailable(advisor -> {
            if (advisor.getAdvice() instanceof IdempotentMethodInterceptor methods
                    && stores.stream().findAny().isPresent()) {
                methods.prepare();
            }
        });
    }

    /** Registers the creator of proxies, in case nothing else does. */
    static final class AutoProxyRegistrar implements ImportBeanDefinitionRegistrar {
        @Override
        public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
            AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
            AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
        }
    }
}
