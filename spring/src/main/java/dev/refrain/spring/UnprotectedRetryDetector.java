package dev.refrain.spring;

import java.lang.reflect.Method;
import java.util.List;
import java.util.TreeSet;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Warns at startup about each method that is retried, seems to change something and is not protected, since a second attempt may
 * repeat the effect of the first. A method counts as read-only by its name or by a read-only transaction.
 */
final class UnprotectedRetryDetector implements SmartInitializingSingleton {

    private static final System.Logger LOG = System.getLogger(UnprotectedRetryDetector.class.getName());
    private static final List<String> RETRIES = List.of(
            "org.springframework.resilience.annotation.Retryable", "org.springframework.retry.annotation.Retryable");
    private static final String TRANSACTIONAL = "org.springframework.transaction.annotation.Transactional";
    private static final List<String> READING =
            List.of("get", "find", "read", "list", "count", "is", "has", "query", "search", "load", "fetch", "exists");

    private final ConfigurableListableBeanFactory beans;

    UnprotectedRetryDetector(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String method : unprotected()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    method
                            + " is retried, seems to change something, and is not @Idempotent: a second attempt may repeat the effect of the"
                            + " first. Make it @Idempotent, or mark it @SafeToRepeat if repeating it is harmless.");
        }
    }

    TreeSet<String> unprotected() {
        var found = new TreeSet<String>();
        for (var bean : BeanTargetClasses.of(beans)) {
            try {
                MethodIntrospector.selectMethods(
                                bean,
                                (Method method) -> isUnprotected(AopUtils.getMostSpecificMethod(method, bean), bean))
                        .forEach(method -> found.add(bean.getSimpleName() + "." + method.getName()));
            } catch (IllegalStateException | LinkageError missingClass) {
                // A bean whose methods name a class that is not there; Spring leaves such beans alone too.
                LOG.log(
                        System.Logger.Level.DEBUG,
                        () -> bean.getName() + " is not searched for retries.",
                        missingClass);
            }
        }
        return found;
    }

    private static boolean isUnprotected(Method method, Class<?> bean) {
        return RETRIES.stream().anyMatch(retry -> isAnnotated(method, bean, retry))
                && !isAnnotated(method, bean, Idempotent.class.getName())
                && !isAnnotated(method, bean, SafeToRepeat.class.getName())
                && !onlyReads(method, bean);
    }

    private static boolean onlyReads(Method method, Class<?> bean) {
        var onMethod =
                MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).get(TRANSACTIONAL);
        var transaction = onMethod.isPresent()
                ? onMethod
                : MergedAnnotations.from(bean, SearchStrategy.TYPE_HIERARCHY).get(TRANSACTIONAL);
        return READING.stream().anyMatch(word -> beginsWith(method.getName(), word))
                || (transaction.isPresent() && transaction.getBoolean("readOnly"));
    }

    /** Returns true if the name starts with this whole word: {@code issueInvoice} does not start with {@code is}. */
    private static boolean beginsWith(String name, String word) {
        return name.startsWith(word)
                && (name.length() == word.length() || Character.isUpperCase(name.charAt(word.length())));
    }

    private static boolean isAnnotated(Method method, Class<?> bean, String annotation) {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(annotation)
                || MergedAnnotations.from(bean, SearchStrategy.TYPE_HIERARCHY).isPresent(annotation);
    }
}
