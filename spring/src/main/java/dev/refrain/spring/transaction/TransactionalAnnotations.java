package dev.refrain.spring.transaction;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionManager;

/** What {@code @Transactional} says of a method, by Spring or by Jakarta; neither has to be there. */
public final class TransactionalAnnotations {

    private static final List<String> NAMES =
            List.of("org.springframework.transaction.annotation.Transactional", "jakarta.transaction.Transactional");

    /** Each of them takes the work out of the transaction that is open. */
    private static final Set<String> APART = Set.of("REQUIRES_NEW", "NOT_SUPPORTED", "NEVER");

    private TransactionalAnnotations() {}

    /** The method's own, or that of its class. */
    public static Optional<MergedAnnotation<?>> find(Method method, Class<?> bean) {
        for (var element : List.of(method, bean)) {
            var annotations = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
            for (String name : NAMES) {
                if (annotations.isPresent(name)) {
                    return Optional.of(annotations.get(name));
                }
            }
        }
        return Optional.empty();
    }

    /** The work has to take part in the transaction of its key. In one of its own it would commit before, or without it. */
    public static void requireJoining(String name, Method method, Class<?> bean, BeanFactory beans) {
        requireManager(name, find(method, bean), beans);
        find(method, bean)
                .flatMap(TransactionalAnnotations::propagation)
                .filter(APART::contains)
                .ifPresent(propagation -> {
                    throw new IllegalArgumentException(
                            name + " is @Idempotent and transactional, but its @Transactional says " + propagation
                                    + ": its work would not commit together with its key. Leave that out, or make it leased.");
                });
    }

    /** Whether it takes part in a transaction that is open when it is called. */
    public static boolean joins(Method method, Class<?> bean) {
        return find(method, bean)
                .filter(mark -> propagation(mark).filter(APART::contains).isEmpty())
                .isPresent();
    }

    private static Optional<String> propagation(MergedAnnotation<?> mark) {
        return mark.getValue(mark.getType().getName().startsWith("jakarta") ? "value" : "propagation")
                .map(Object::toString);
    }

    private static void requireManager(String name, Optional<MergedAnnotation<?>> mark, BeanFactory beans) {
        mark.filter(spring -> spring.getType().getName().equals(NAMES.getFirst()))
                .map(spring -> spring.getString("transactionManager"))
                .filter(manager -> !manager.isEmpty() && !isThatOfTheKeys(manager, beans))
                .ifPresent(manager -> {
                    throw new IllegalArgumentException(name
                            + " is @Idempotent and transactional, but its @Transactional names the manager " + manager
                            + ", which is not that of its keys: they would be two commits. Make it leased.");
                });
    }

    private static boolean isThatOfTheKeys(String qualifier, BeanFactory beans) {
        try {
            var named = BeanFactoryAnnotationUtils.qualifiedBeanOfType(beans, TransactionManager.class, qualifier);
            return named.equals(
                    beans.getBeanProvider(PlatformTransactionManager.class).getIfUnique());
        } catch (BeansException none) {
            return false;
        }
    }
}
