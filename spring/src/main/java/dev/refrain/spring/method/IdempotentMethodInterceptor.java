package dev.refrain.spring.method;

import dev.refrain.Refrain;
import dev.refrain.spring.Idempotent;
import dev.refrain.store.StoreTransactionFactory;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * Methods of beans that are {@link Idempotent} and say where their key is. Stands outside of their transaction and inside of their
 * retries: all attempts are one key's.
 */
final class IdempotentMethodInterceptor extends StaticMethodMatcherPointcut implements MethodInterceptor {

    /** What transactional methods need: the store's transactions, and the DataSource whose transaction may be open already. */
    record MethodTransactions(StoreTransactionFactory<Connection> transactions, DataSource source) {}

    private static final String CONTROLLER = "org.springframework.stereotype.Controller";
    private static final List<String> MAPPINGS = List.of(
            "org.springframework.web.bind.annotation.RequestMapping",
            "org.springframework.web.service.annotation.HttpExchange");

    private final BeanFactory beans;
    private final Supplier<Refrain> refrain;
    private final Supplier<Optional<MethodTransactions>> transactions;
    /** A method that is inherited is another operation in each bean. */
    private record MethodId(Class<?> bean, Method method) {}

    private final Map<String, MethodId> names = new ConcurrentHashMap<>();
    private final Map<MethodId, IdempotentMethod> known = new ConcurrentHashMap<>();

    IdempotentMethodInterceptor(
            Supplier<Refrain> refrain, Supplier<Optional<MethodTransactions>> transactions, BeanFactory beans) {
        this.beans = beans;
        this.refrain = refrain;
        this.transactions = transactions;
    }

    @Override
    public boolean matches(Method method, Class<?> bean) {
        var specific = AopUtils.getMostSpecificMethod(method, bean);
        var annotation = AnnotatedElementUtils.findMergedAnnotation(specific, Idempotent.class);
        if (isController(bean) && (annotation == null || annotation.key().isEmpty() || isMapped(specific))) {
            return false;
        }
        if (annotation == null) {
            requireNoneOnClass(bean);
            return false;
        }
        requireReached(specific, bean);
        if (annotation.key().isEmpty()) {
            throw new IllegalArgumentException(
                    bean.getSimpleName() + "." + method.getName()
                            + " is @Idempotent and no handler of HTTP requests: say where its key is, key = \"#order.id\" for example.");
        }
        if (annotation.operation().isEmpty()) {
            requireOwnName(new MethodId(ClassUtils.getUserClass(bean), specific));
        }
        return true;
    }

    /** One key for all methods of a class cannot be said; and to leave them unprotected in silence would be worse. */
    private static void requireNoneOnClass(Class<?> bean) {
        if (AnnotatedElementUtils.hasAnnotation(bean, Idempotent.class)) {
            throw new IllegalArgumentException(
                    bean.getSimpleName()
                            + " is @Idempotent and no controller: say it on its methods, each with its key, key = \"#order.id\" for example.");
        }
    }

    /** A wrapping is a subclass: what it cannot override would run without it. */
    private static void requireReached(Method method, Class<?> bean) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isFinal(modifiers) || Modifier.isStatic(modifiers)) {
            throw new IllegalArgumentException(bean.getSimpleName() + "." + method.getName()
                    + " is @Idempotent, but Spring cannot stand in front of a method that is private, final or static: it would"
                    + " run unprotected. Make it neither.");
        }
    }

    /** The name is that of their keys: what one has done under a key, the other would be told to have done. */
    private void requireOwnName(MethodId one) {
        var other = names.putIfAbsent(
                one.bean().getSimpleName() + "." + one.method().getName(), one);
        if (other != null && !other.equals(one)) {
            throw new IllegalArgumentException(
                    one.bean().getSimpleName() + "." + one.method().getName()
                            + " is the name of two methods, which would share their keys: " + one.method() + " and "
                            + other.method()
                            + ". Name one of them by @Idempotent.operation.");
        }
    }

    private static boolean isController(Class<?> bean) {
        return MergedAnnotations.from(bean, SearchStrategy.TYPE_HIERARCHY).isPresent(CONTROLLER);
    }

    private static boolean isMapped(Method method) {
        var annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        return MAPPINGS.stream().anyMatch(annotations::isPresent);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        var target = invocation.getThis();
        var bean = target == null ? invocation.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target);
        var method = AopUtils.getMostSpecificMethod(invocation.getMethod(), bean);
        return known.computeIfAbsent(
                        new MethodId(bean, method),
                        k -> IdempotentMethod.of(bean, method, refrain.get(), transactions.get(), beans))
                .run(invocation);
    }
}
