package dev.refrain.spring.method;

import dev.refrain.spring.Idempotent;
import dev.refrain.spring.ProtectedBeanMethods;
import dev.refrain.spring.RefrainProperties;
import dev.refrain.spring.RefrainStartException;
import dev.refrain.spring.RefrainStores;
import dev.refrain.spring.internal.handler.SelfInvocationDetector;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * Intercepts {@link Idempotent} bean methods that declare a key. Runs outside of their transaction and inside of their retries,
 * so that all attempts use one key.
 */
final class IdempotentMethodInterceptor extends StaticMethodMatcherPointcut
        implements MethodInterceptor, ProtectedBeanMethods {

    private static final System.Logger LOG = System.getLogger(IdempotentMethodInterceptor.class.getName());
    private static final String CONTROLLER = "org.springframework.stereotype.Controller";
    private static final List<String> MAPPINGS = List.of(
            "org.springframework.web.bind.annotation.RequestMapping",
            "org.springframework.web.service.annotation.HttpExchange");

    private final ListableBeanFactory beans;
    private final Supplier<RefrainStores> stores;
    /** Identity of a method: an inherited method is a separate operation in each bean. */
    private record MethodId(Class<?> bean, Method method) {
        String name() {
            return bean.getSimpleName() + "." + method.getName();
        }
    }

    private final Map<String, MethodId> names = new ConcurrentHashMap<>();
    private final Set<MethodId> matched = ConcurrentHashMap.newKeySet();
    private final Map<MethodId, IdempotentMethodInvoker> known = new ConcurrentHashMap<>();

    IdempotentMethodInterceptor(Supplier<RefrainStores> stores, ListableBeanFactory beans) {
        this.beans = beans;
        this.stores = stores;
    }

    @Override
    public boolean matches(Method method, Class<?> bean) {
        var specific = AopUtils.getMostSpecificMethod(method, bean);
        var annotation = AnnotatedElementUtils.findMergedAnnotation(specific, Idempotent.class);
        if (isController(bean) && (annotation == null || isMapped(specific))) {
            return false;
        }
        if (annotation == null) {
            requireNoneOnClass(bean);
            return false;
        }
        requireReached(specific, bean);
        if (annotation.key().isEmpty()) {
            throw new RefrainStartException(
                    bean.getSimpleName() + "." + method.getName()
                            + " is @Idempotent but not an HTTP handler, so it has no key.",
                    "Declare one, for example key = \"#order.id\".");
        }
        var id = new MethodId(ClassUtils.getUserClass(bean), specific);
        if (annotation.operation().isEmpty()) {
            requireOwnName(id);
        }
        matched.add(id);
        return true;
    }

    /** Rejects the annotation on a class: its methods cannot share one key, and must not be left unprotected silently. */
    private static void requireNoneOnClass(Class<?> bean) {
        if (AnnotatedElementUtils.hasAnnotation(bean, Idempotent.class)) {
            throw new RefrainStartException(
                    bean.getSimpleName() + " is @Idempotent but not a controller.",
                    "Annotate its methods instead, each with a key, for example key = \"#order.id\".");
        }
    }

    /** Rejects methods that a proxy subclass cannot override, since they would run unprotected. */
    private static void requireReached(Method method, Class<?> bean) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isFinal(modifiers) || Modifier.isStatic(modifiers)) {
            throw new RefrainStartException(
                    bean.getSimpleName() + "." + method.getName()
                            + " is @Idempotent, but Spring cannot intercept a private, final or static method: it would"
                            + " run unprotected.",
                    "Make it an overridable instance method.");
        }
    }

    /** Rejects two methods of the same name: they would share keys, and one would replay the other's outcome. */
    private void requireOwnName(MethodId one) {
        var other = names.putIfAbsent(
                one.bean().getSimpleName() + "." + one.method().getName(), one);
        if (other != null && !other.equals(one)) {
            throw new RefrainStartException(
                    one.bean().getSimpleName() + "." + one.method().getName()
                            + " is the name of two methods, which would share keys: " + one.method() + " and "
                            + other.method() + ".",
                    "Rename one of them with @Idempotent.operation.");
        }
    }

    private static boolean isController(Class<?> bean) {
        return MergedAnnotations.from(bean, SearchStrategy.TYPE_HIERARCHY).isPresent(CONTROLLER);
    }

    private static boolean isMapped(Method method) {
        var annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        return MAPPINGS.stream().anyMatch(annotations::isPresent);
    }

    /**
     * Prepares the methods of all beans that exist at startup, so that errors show before the first call.
     *
     * @throws RefrainStartException if one of them cannot be protected as it says
     */
    void prepare() {
        if (!matched.isEmpty()) {
            matched.forEach(id -> RefrainStartException.explain(() -> method(id)));
            warnOfSelfInvocations();
            warnOfSharedKeys();
        }
    }

    /** Warns of methods that state no scope, unless the application says that it has one tenant. */
    private void warnOfSharedKeys() {
        var shared = matched.stream()
                .filter(id -> statesNoScope(id.method()))
                .map(MethodId::name)
                .sorted()
                .distinct()
                .toList();
        var properties = beans.getBeanProvider(RefrainProperties.class).getIfAvailable();
        boolean oneTenant = properties != null && properties.scope().equals("shared");
        if (!shared.isEmpty() && !oneTenant) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "@Idempotent without a scope: " + String.join(", ", shared)
                            + ". All callers share the keys of such a method: if two tenants use the same key, the second gets the result of"
                            + " the first, or a mismatch. State whose keys they are, such as scope = \"#order.tenant\" or scope ="
                            + " \"@tenants.current()\"; or scope = \"''\" if keys are unique among all tenants, or refrain.scope=shared if there is"
                            + " one tenant. See docs/http.md#spring-boot.");
        }
    }

    private static boolean statesNoScope(Method method) {
        var annotation = AnnotatedElementUtils.findMergedAnnotation(method, Idempotent.class);
        return annotation != null && annotation.scope().isEmpty();
    }

    private void warnOfSelfInvocations() {
        matched.stream()
                .collect(
                        Collectors.groupingBy(MethodId::bean, Collectors.mapping(MethodId::method, Collectors.toSet())))
                .forEach((bean, methods) -> SelfInvocationDetector.find(bean, methods)
                        .forEach(call -> LOG.log(
                                System.Logger.Level.WARNING,
                                call
                                        + ", which is @Idempotent, on itself: Spring does not intercept that call, so it runs"
                                        + " UNPROTECTED. Move one of them to another bean, or call it through an injected "
                                        + "ObjectProvider<" + bean.getSimpleName() + ">.")));
    }

    @Override
    public List<String> protectedMethods() {
        return matched.stream()
                .map(IdempotentMethodInterceptor::described)
                .sorted()
                .distinct()
                .toList();
    }

    @Override
    public boolean isProtected(String method) {
        return matched.stream().anyMatch(id -> id.name().equals(method));
    }

    @Override
    public boolean hasTransactional(String store) {
        return known.values().stream().anyMatch(method -> method.isTransactionalOn(store));
    }

    private static String described(MethodId id) {
        var annotation = AnnotatedElementUtils.findMergedAnnotation(id.method(), Idempotent.class);
        return id.name()
                + (annotation == null || annotation.store().isEmpty() ? "" : " (store " + annotation.store() + ")");
    }

    private IdempotentMethodInvoker method(MethodId id) {
        return known.computeIfAbsent(id, k -> IdempotentMethodInvoker.of(id.bean(), id.method(), stores.get(), beans));
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        var target = invocation.getThis();
        var bean = target == null ? invocation.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target);
        var method = AopUtils.getMostSpecificMethod(invocation.getMethod(), bean);
        return method(new MethodId(bean, method)).run(invocation);
    }
}
