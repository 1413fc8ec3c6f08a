package dev.refrain.spring;

import java.lang.reflect.Method;
import java.util.List;
import java.util.TreeSet;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Names, at the start, each method that is retried, seems to change something and is not protected: its second attempt may do twice
 * what the first one did. A method seems only to read if it says so by its name or by a read-only transaction.
 */
final class UnprotectedRetryDetector implements SmartInitializingSingleton {

    private static final System.Logger LOG = System.getLogger(UnprotectedRetryDetector.class.getName());
    private static final List<String> RETRIES = List.of(
            "org.springframework.resilience.annotation.Retryable", "org.springframework.retry.annotation.Retryable");
    private static final String TRANSACTIONAL = "org.springframework.transaction.annotation.Transactional";
    private static final List<String> READING =
            List.of("get", "find", "read", "list", "count", "is", "has", "query", "search", "load", "fetch", "exists");

    private final ListableBeanFactory beans;

    UnprotectedRetryDetector(ListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String method : unprotected()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    method
                            + " is retried, seems to change something, and is not @Idempotent: a second attempt may do twice what the"
                            + " first one did. Make it @Idempotent, or say @SafeToRepeat if twice does no harm.");
        }
    }

    TreeSet<String> unprotected() {
        var found = new TreeSet<String>();
        for (String name : beans.getBeanDefinitionNames()) {
            var type = beans.getType(name, false);
            if (type != null && !type.getName().startsWith("org.springframework.")) {
                var bean = org.springframework.util.ClassUtils.getUserClass(type);
                MethodIntrospector.selectMethods(
                                bean,
                                (Method method) -> isUnprotected(AopUtils.getMostSpecificMethod(method, bean), bean))
                        .forEach(method -> found.add(bean.getSimpleName() + "." + method.getName()));
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

    /** As a word: {@code issueInvoice} does not begin with {@code is}. */
    private static boolean beginsWith(String name, String word) {
        return name.startsWith(word)
                && (name.length() == word.length() || Character.isUpperCase(name.charAt(word.length())));
    }

    private static boolean isAnnotated(Method method, Class<?> bean, String annotation) {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(annotation)
                || MergedAnnotations.from(bean, SearchStrategy.TYPE_HIERARCHY).isPresent(annotation);
    }
}
