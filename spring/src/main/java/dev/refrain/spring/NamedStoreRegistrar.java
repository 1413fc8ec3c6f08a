package dev.refrain.spring;

import dev.refrain.Refrain;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers a Refrain bean for each named store, which is injected by qualifier only: {@code @Qualifier("bulk") Refrain}. A Store bean that
 * has such a name is no longer injected by its type either, so that the default store stays the one without a qualifier.
 */
final class NamedStoreRegistrar implements ImportBeanDefinitionRegistrar {

    private final Environment environment;
    private final BeanFactory beans;

    NamedStoreRegistrar(Environment environment, BeanFactory beans) {
        this.environment = environment;
        this.beans = beans;
    }

    /** Returns the name of the Refrain bean of a store. */
    private static String beanName(String store) {
        return "refrain-" + store;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
        for (String name : NamedStoreCondition.names(environment)) {
            String bean = environment.getProperty("refrain.stores." + name + ".bean", "");
            if (registry.containsBeanDefinition(bean)
                    && registry.getBeanDefinition(bean) instanceof AbstractBeanDefinition store) {
                store.setDefaultCandidate(false);
            }
            var refrain = new RootBeanDefinition(
                    Refrain.class, () -> beans.getBean(RefrainStores.class).refrain(name));
            refrain.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
            refrain.setDefaultCandidate(false);
            // Closed with its store.
            refrain.setDestroyMethodName("");
            registry.registerBeanDefinition(beanName(name), refrain);
        }
    }
}
