package dev.refrain.spring;

import java.lang.reflect.Proxy;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Finds the classes in which the beans of an application are written. A proxy hides them: one of the JDK has only the interfaces of its
 * bean, and not the annotations of the class behind it.
 */
final class BeanTargetClasses {

    private BeanTargetClasses() {}

    /** Returns the classes of all beans except Spring's own; creates no bean. */
    static Set<Class<?>> of(ConfigurableListableBeanFactory beans) {
        var classes = new LinkedHashSet<Class<?>>();
        beans.getBeanNamesIterator().forEachRemaining(name -> add(find(beans, name), classes));
        return classes;
    }

    /** Returns the classes of all beans that exist now, as singletons. */
    static Set<Class<?>> ofSingletons(ConfigurableListableBeanFactory beans) {
        var classes = new LinkedHashSet<Class<?>>();
        for (String name : beans.getSingletonNames()) {
            add(find(beans, name), classes);
        }
        return classes;
    }

    private static void add(@Nullable Class<?> type, Set<Class<?>> classes) {
        if (type != null && !type.getName().startsWith("org.springframework.")) {
            classes.add(ClassUtils.getUserClass(type));
        }
    }

    private static @Nullable Class<?> find(ConfigurableListableBeanFactory beans, String name) {
        boolean defined = beans.containsBeanDefinition(name);
        if (defined
                && beans.getMergedBeanDefinition(name).getAttribute(AutoProxyUtils.ORIGINAL_TARGET_CLASS_ATTRIBUTE)
                        instanceof Class<?> proxied) {
            return proxied;
        }
        var instance = beans.getSingleton(name);
        var type = instance == null || instance instanceof FactoryBean<?> ? beans.getType(name, false) : null;
        if (instance != null && (type == null || Proxy.isProxyClass(type))) {
            return AopProxyUtils.ultimateTargetClass(instance);
        }
        return type != null && Proxy.isProxyClass(type) && defined
                ? beans.getMergedBeanDefinition(name).getResolvableType().resolve(type)
                : type;
    }
}
