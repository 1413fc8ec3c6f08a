package dev.refrain.spring.internal.transaction;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Reads {@code @Transactional} of Spring or Jakarta from a method. Neither has to be on the class path, nor any class of Spring's transactions. */
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

    /** Returns true if the method joins a transaction that is open when it is called. */
    public static boolean joins(Method method, Class<?> bean) {
        return find(method, bean)
                .filter(mark -> propagationApart(mark).isEmpty())
                .isPresent();
    }

    /** Returns the propagation, if it takes the work out of the open transaction. */
    static Optional<String> propagationApart(MergedAnnotation<?> mark) {
        return mark.getValue(mark.getType().getName().startsWith("jakarta") ? "value" : "propagation")
                .map(Object::toString)
                .filter(APART::contains);
    }

    /** Returns the manager that the annotation names; empty if it names none. */
    static String namedManager(MergedAnnotation<?> mark) {
        return mark.getType().getName().equals(NAMES.getFirst()) ? mark.getString("transactionManager") : "";
    }
}
