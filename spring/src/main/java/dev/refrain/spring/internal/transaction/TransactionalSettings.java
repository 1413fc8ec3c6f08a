package dev.refrain.spring.internal.transaction;

import dev.refrain.spring.RefrainStartException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.objenesis.SpringObjenesis;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.NoRollbackRuleAttribute;
import org.springframework.transaction.interceptor.RuleBasedTransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;

/**
 * Settings of {@code @Transactional} for the transaction that a method shares with its key. Refrain begins that transaction before the
 * method is called, so the method's own annotation only joins it: each setting is applied here, or rejected at startup.
 */
public final class TransactionalSettings {

    private static final SpringObjenesis EXCEPTIONS = new SpringObjenesis();

    private TransactionalSettings() {}

    /**
     * Returns the isolation and timeout of a method's transaction.
     *
     * @throws RefrainStartException if the method's transaction is read-only
     */
    public static TransactionDefinition of(String name, Method method, Class<?> bean, BeanFactory beans) {
        var source = source(beans);
        var attribute = attribute(method, bean, beans);
        if (source.getTransactionAttribute(method, bean) == null) {
            IneffectiveSettingsWarning.log(name, source, beans);
        }
        if (attribute.isReadOnly()) {
            throw new RefrainStartException(
                    name
                            + " is protected in a transaction, but its @Transactional is read-only: its key could not be stored.",
                    "Remove readOnly, or @Idempotent if the method changes nothing.");
        }
        return attribute;
    }

    /**
     * Rejects rollback rules that Refrain cannot follow. A transactional method or handler that throws is rolled back together with
     * its key, whatever it throws; if its work was committed without an outcome, a retry would run it again.
     *
     * @throws RefrainStartException if an exception of the method would commit its work
     */
    public static void requireRollback(String name, Method method, Class<?> bean, BeanFactory beans) {
        var attribute = attribute(method, bean, beans);
        if (rules(attribute).stream().anyMatch(NoRollbackRuleAttribute.class::isInstance)) {
            throw new RefrainStartException(
                    name
                            + " is protected in a transaction, but its @Transactional commits after some exceptions (noRollbackFor): a"
                            + " retry would run the committed work again.",
                    "Return a value or a response instead of throwing, or remove the rule.");
        }
        for (var declared : method.getExceptionTypes()) {
            if (commitsAfter(attribute, declared)) {
                throw new RefrainStartException(
                        name
                                + " is protected in a transaction and declares " + declared.getName()
                                + ", after which Spring commits unless told otherwise: a retry would run the committed work again.",
                        "Add" + " rollbackFor = " + declared.getSimpleName() + ".class to its @Transactional.");
            }
        }
    }

    private static boolean commitsAfter(TransactionAttribute attribute, Class<?> exception) {
        return !Modifier.isAbstract(exception.getModifiers())
                && EXCEPTIONS.newInstance(exception) instanceof Throwable thrown
                && !attribute.rollbackOn(thrown);
    }

    private static List<?> rules(TransactionAttribute attribute) {
        return attribute instanceof RuleBasedTransactionAttribute ruled ? ruled.getRollbackRules() : List.of();
    }

    /** Reads what Spring's own interceptor would apply. */
    private static TransactionAttribute attribute(Method method, Class<?> bean, BeanFactory beans) {
        var found = source(beans).getTransactionAttribute(method, bean);
        return found == null ? new RuleBasedTransactionAttribute() : found;
    }

    private static TransactionAttributeSource source(BeanFactory beans) {
        return beans.getBeanProvider(TransactionAttributeSource.class).getIfUnique(() -> annotations(beans));
    }

    private static TransactionAttributeSource annotations(BeanFactory beans) {
        var annotations = new AnnotationTransactionAttributeSource(false);
        if (beans instanceof ConfigurableBeanFactory configurable) {
            annotations.setEmbeddedValueResolver(new EmbeddedValueResolver(configurable));
        }
        return annotations;
    }
}
