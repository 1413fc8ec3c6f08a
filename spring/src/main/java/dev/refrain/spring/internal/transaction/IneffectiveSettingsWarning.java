package dev.refrain.spring.internal.transaction;

import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashSet;
import java.util.Set;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Warning of settings that a protected method without {@code @Transactional} takes from the methods it calls: without Refrain they would
 * begin a transaction with their isolation and timeout, and now they join that of the key.
 */
final class IneffectiveSettingsWarning {

    private static final System.Logger LOG = System.getLogger(IneffectiveSettingsWarning.class.getName());
    private static final int NAMED = 3;

    private IneffectiveSettingsWarning() {}

    /** Logs one line if any bean has such settings. Which of them the method calls is not known. */
    static void log(String name, TransactionAttributeSource source, BeanFactory beans) {
        if (!(beans instanceof ListableBeanFactory all)) {
            return;
        }
        var found = methods(source, all);
        if (!found.isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    name
                            + " runs in the transaction of its key, which begins without an isolation level or timeout, because "
                            + name
                            + " has no @Transactional. Where it calls methods whose @Transactional sets them, these settings have no"
                            + " effect: "
                            + String.join(", ", found.stream().limit(NAMED).toList())
                            + (found.size() > NAMED ? " and " + (found.size() - NAMED) + " more" : "")
                            + ". Annotate " + name
                            + " with the @Transactional that it needs, which Refrain follows; or set validateExistingTransaction on the"
                            + " transaction manager, which then rejects another isolation level.");
        }
    }

    private static Set<String> methods(TransactionAttributeSource source, ListableBeanFactory beans) {
        var found = new LinkedHashSet<String>();
        for (String bean : beans.getBeanDefinitionNames()) {
            var type = beans.getType(bean, false);
            if (type == null || !source.isCandidateClass(type)) {
                continue;
            }
            var own = ClassUtils.getUserClass(type);
            ReflectionUtils.doWithMethods(
                    own,
                    method -> found.add(own.getSimpleName() + "." + method.getName()),
                    method -> isSet(source, method, own));
        }
        return found;
    }

    private static boolean isSet(TransactionAttributeSource source, Method method, Class<?> bean) {
        if (method.getDeclaringClass() == Object.class
                || !Modifier.isPublic(method.getModifiers())
                || method.isSynthetic()) {
            return false;
        }
        TransactionDefinition settings = source.getTransactionAttribute(method, bean);
        return settings != null && !SpringTransactionSource.isDefault(settings);
    }
}
