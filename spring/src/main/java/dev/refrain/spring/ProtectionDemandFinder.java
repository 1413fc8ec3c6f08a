package dev.refrain.spring;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.env.Environment;
import org.springframework.core.type.classreading.SimpleMetadataReaderFactory;
import org.springframework.util.ClassUtils;

/**
 * Finds everything in an application that asks to be protected: {@link Idempotent} handlers and methods, routes, flows, sagas and
 * relays. Knows them by their definitions alone, so that it also works where nothing protects them.
 */
final class ProtectionDemandFinder {

    private static final System.Logger LOG = System.getLogger(ProtectionDemandFinder.class.getName());
    private static final String MAPPING = "org.springframework.web.bind.annotation.RequestMapping";
    private static final String EXCHANGE = "org.springframework.web.service.annotation.HttpExchange";

    private static final String ROUTE = "dev.refrain.http.Route";

    /** Bean types that do nothing without a store; not all of them have to be on the class path. */
    private static final List<String> PARTS =
            List.of("dev.refrain.flow.Flow", "dev.refrain.saga.Saga", "dev.refrain.spring.RelayCustomizer");

    private final ConfigurableListableBeanFactory beans;
    private final Environment environment;

    ProtectionDemandFinder(ConfigurableListableBeanFactory beans, Environment environment) {
        this.beans = beans;
        this.environment = environment;
    }

    /** Returns what asks to be protected, in words; empty if nothing does. */
    List<String> find() {
        var found = new ArrayList<>(names(BeanTargetClasses.of(beans), method -> true));
        found.addAll(beansOf(ROUTE));
        found.addAll(parts());
        Binder.get(environment)
                .bind("refrain.routes", Bindable.mapOf(String.class, Object.class))
                .orElse(Collections.emptyMap())
                .keySet()
                .forEach(route -> found.add("refrain.routes." + route));
        return found;
    }

    /** Returns the flows, sagas and relays. */
    List<String> parts() {
        return PARTS.stream().map(this::beansOf).flatMap(List::stream).toList();
    }

    private List<String> beansOf(String name) {
        var found = new ArrayList<String>();
        if (ClassUtils.isPresent(name, ProtectionDemandFinder.class.getClassLoader())) {
            var type = ClassUtils.resolveClassName(name, ProtectionDemandFinder.class.getClassLoader());
            for (String bean : beans.getBeanNamesForType(type, true, false)) {
                found.add("the " + type.getSimpleName() + " bean " + bean);
            }
        }
        return found;
    }

    /**
     * Annotated method.
     *
     * @param mapped whether it is an HTTP handler
     */
    private record AnnotatedMethod(String name, boolean mapped) {}

    /** Returns the annotated methods that are no HTTP handlers. */
    List<String> methods() {
        return List.copyOf(names(BeanTargetClasses.of(beans), method -> !method.mapped()));
    }

    /** Returns those of the annotated methods that are no HTTP handlers whose beans exist already. */
    List<String> methodsOfSingletons() {
        return List.copyOf(names(BeanTargetClasses.ofSingletons(beans), method -> !method.mapped()));
    }

    private static TreeSet<String> names(Set<Class<?>> classes, Predicate<AnnotatedMethod> which) {
        return classes.stream()
                .flatMap(bean -> annotated(bean).stream())
                .filter(which)
                .map(AnnotatedMethod::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<AnnotatedMethod> annotated(Class<?> bean) {
        try {
            boolean whole = AnnotatedElementUtils.hasAnnotation(bean, Idempotent.class);
            return MethodIntrospector.selectMethods(
                            bean,
                            (Method method) -> AnnotatedElementUtils.hasAnnotation(method, Idempotent.class)
                                    || (whole && isMapped(method)))
                    .stream()
                    .map(method -> new AnnotatedMethod(described(method, bean), isMapped(method)))
                    .toList();
        } catch (IllegalStateException | LinkageError missingClass) {
            // A bean whose methods name a class that is not there: its class file is read instead.
            return inClassFiles(bean);
        }
    }

    private static List<AnnotatedMethod> inClassFiles(Class<?> bean) {
        var found = new ArrayList<AnnotatedMethod>();
        var types = new ArrayList<>(ClassUtils.getAllInterfacesForClassAsSet(bean));
        for (Class<?> each = bean; each != null && each != Object.class; each = each.getSuperclass()) {
            types.add(each);
        }
        var files = new SimpleMetadataReaderFactory(bean.getClassLoader());
        for (var type : types) {
            try {
                files.getMetadataReader(type.getName())
                        .getAnnotationMetadata()
                        .getAnnotatedMethods(Idempotent.class.getName())
                        .forEach(method -> found.add(new AnnotatedMethod(
                                ClassUtils.getShortName(bean.getName()) + "." + method.getMethodName(),
                                method.isAnnotated(MAPPING) || method.isAnnotated(EXCHANGE))));
            } catch (IOException | RuntimeException unreadable) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        () -> type.getName()
                                + " cannot be searched for @Idempotent, because neither its methods nor its class"
                                + " file can be read. If a method of it is annotated, it may run unprotected.",
                        unreadable);
            }
        }
        return found;
    }

    private static String described(Method method, Class<?> bean) {
        String name = bean.getSimpleName() + "." + method.getName();
        var mapping = mapping(method);
        return mapping.isPresent() ? route(mapping, bean) + " (" + name + ")" : name;
    }

    private static String route(MergedAnnotation<?> mapping, Class<?> bean) {
        var ofClass =
                MergedAnnotations.from(bean, SearchStrategy.TYPE_HIERARCHY).get(MAPPING);
        String methods = mapping.getValue("method", Object[].class).stream()
                .flatMap(Arrays::stream)
                .map(String::valueOf)
                .collect(Collectors.joining(","));
        return ((methods.isEmpty() ? "" : methods + " ") + path(ofClass) + path(mapping)).strip();
    }

    private static String path(MergedAnnotation<?> mapping) {
        String first = mapping.getValue("path", String[].class).stream()
                .flatMap(Arrays::stream)
                .findFirst()
                .orElse("");
        return first.isEmpty() || first.startsWith("/") ? first : "/" + first;
    }

    private static boolean isMapped(Method method) {
        return mapping(method).isPresent()
                || MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(EXCHANGE);
    }

    private static MergedAnnotation<?> mapping(Method method) {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).get(MAPPING);
    }
}
