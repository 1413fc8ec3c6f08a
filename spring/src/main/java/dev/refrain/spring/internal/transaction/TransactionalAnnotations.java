package dev.refrain.spring.internal.transaction;

import dev.refrain.spring.OperationStore;
import dev.refrain.spring.RefrainStartException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.TransactionManagementConfigurer;

/** Reads {@code @Transactional} of Spring or Jakarta from a method; neither has to be on the class path. */
public final class TransactionalAnnotations {

    private static final List<String> NAMES =
            List.of("org.springframework.transaction.annotation.Transactional", "jakarta.transaction.Transactional");

    /** Propagations that take the work out of the open transaction. */
    private static final Set<String> APART = Set.of("REQUIRES_NEW", "NOT_SUPPORTED", "NEVER");

    private TransactionalAnnotations() {}

    /** Returns the annotation of the method, or else of its class. */
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

    /**
     * Requires that the work joins the transaction of its key; in a transaction of its own it would commit before the key, or
     * without it.
     */
    public static void requireJoining(
            String name, Method method, Class<?> bean, OperationStore store, ListableBeanFactory beans) {
        requireManager(name, find(method, bean), store, beans);
        find(method, bean)
                .flatMap(TransactionalAnnotations::propagation)
                .filter(APART::contains)
                .ifPresent(propagation -> {
                    throw new RefrainStartException(
                            name + " is protected in a transaction, but its @Transactional has propagation "
                                    + propagation
                                    + ": work and key would commit separately.",
                            "Remove the propagation, or make the mode leased.");
                });
    }

    /** Returns true if the method joins a transaction that is open when it is called. */
    public static boolean joins(Method method, Class<?> bean) {
        return find(method, bean)
                .filter(mark -> propagation(mark).filter(APART::contains).isEmpty())
                .isPresent();
    }

    private static Optional<String> propagation(MergedAnnotation<?> mark) {
        return mark.getValue(mark.getType().getName().startsWith("jakarta") ? "value" : "propagation")
                .map(Object::toString);
    }

    private static void requireManager(
            String name, Optional<MergedAnnotation<?>> mark, OperationStore store, ListableBeanFactory beans) {
        var finder = new StoreTransactionFinder(beans);
        var ofKeys = finder.managerOf(store);
        if (mark.isEmpty() || ofKeys == null) {
            return;
        }
        String named = mark.filter(spring -> spring.getType().getName().equals(NAMES.getFirst()))
                .map(spring -> spring.getString("transactionManager"))
                .orElse("");
        var used = named.isEmpty() ? byDefault(beans) : named(named, beans);
        if (!ofKeys.equals(used)) {
            throw new RefrainStartException(
                    name + " is protected in a transaction, but its @Transactional uses "
                            + (named.isEmpty() ? "the application's default manager" : "the manager " + named)
                            + (named.isEmpty() && used != null ? " " + finder.nameOf(used) : "")
                            + ", which is not " + finder.nameOf(ofKeys) + ", that of " + store.inWords()
                            + ": work and key would commit separately.",
                    "Write @Transactional(\"" + finder.nameOf(ofKeys) + "\"), or make the mode leased.");
        }
    }

    private static @Nullable TransactionManager named(String qualifier, ListableBeanFactory beans) {
        try {
            return BeanFactoryAnnotationUtils.qualifiedBeanOfType(beans, TransactionManager.class, qualifier);
        } catch (BeansException none) {
            return null;
        }
    }

    /** Returns the manager of methods that name none. */
    private static @Nullable TransactionManager byDefault(ListableBeanFactory beans) {
        var configurer =
                beans.getBeanProvider(TransactionManagementConfigurer.class).getIfUnique();
        return configurer == null
                ? beans.getBeanProvider(TransactionManager.class).getIfUnique()
                : configurer.annotationDrivenTransactionManager();
    }
}
