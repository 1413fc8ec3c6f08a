package dev.refrain.spring.internal.transaction;

import dev.refrain.spring.OperationStore;
import dev.refrain.spring.RefrainStartException;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.TransactionManagementConfigurer;

/** Refuses work that would not commit together with its key. */
public final class CommonTransactionCheck {

    private CommonTransactionCheck() {}

    /**
     * Requires that the work joins the transaction of its key; in a transaction of its own it would commit before the key, or
     * without it.
     */
    public static void require(
            String name, Method method, Class<?> bean, OperationStore store, ListableBeanFactory beans) {
        var mark = TransactionalAnnotations.find(method, bean);
        requireManager(name, mark, store, beans);
        mark.flatMap(TransactionalAnnotations::propagationApart).ifPresent(propagation -> {
            throw new RefrainStartException(
                    name + " is protected in a transaction, but its @Transactional has propagation "
                            + propagation
                            + ": work and key would commit separately.",
                    "Remove the propagation, or make the mode leased.");
        });
    }

    private static void requireManager(
            String name, Optional<MergedAnnotation<?>> mark, OperationStore store, ListableBeanFactory beans) {
        var finder = new StoreTransactionFinder(beans);
        var ofKeys = finder.managerOf(store);
        if (mark.isEmpty() || ofKeys == null) {
            return;
        }
        String named = TransactionalAnnotations.namedManager(mark.get());
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
