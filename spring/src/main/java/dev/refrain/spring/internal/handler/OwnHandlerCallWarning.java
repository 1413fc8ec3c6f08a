package dev.refrain.spring.internal.handler;

import dev.refrain.spring.Idempotent;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.springframework.util.ClassUtils;

/** Warns of controllers that call their own {@link Idempotent} handlers: a request to the caller reaches them unprotected. */
final class OwnHandlerCallWarning {

    private static final System.Logger LOG = System.getLogger(OwnHandlerCallWarning.class.getName());

    private OwnHandlerCallWarning() {}

    /**
     * Logs a warning for each such call that is found in the class files.
     *
     * @param behindRoute whether a declared route protects all requests to a handler without the annotation
     */
    static void log(List<MappedHandler> all, Predicate<MappedHandler> behindRoute) {
        all.stream()
                .collect(Collectors.groupingBy(mapped -> mapped.handler().getBeanType()))
                .forEach((controller, handlers) -> {
                    var guarded =
                            methods(handlers, mapped -> mapped.annotation().isPresent());
                    if (!guarded.isEmpty()) {
                        var callers = methods(
                                handlers, mapped -> mapped.annotation().isPresent() || behindRoute.test(mapped));
                        SelfInvocationDetector.findCallsOfHandlers(controller, guarded, callers)
                                .forEach(OwnHandlerCallWarning::log);
                    }
                });
    }

    private static Set<Method> methods(List<MappedHandler> handlers, Predicate<MappedHandler> which) {
        return handlers.stream()
                .filter(which)
                .map(MappedHandler::handler)
                .map(handler -> ClassUtils.getMostSpecificMethod(handler.getMethod(), handler.getBeanType()))
                .collect(Collectors.toSet());
    }

    private static void log(String call) {
        LOG.log(
                System.Logger.Level.WARNING,
                call
                        + ", which is @Idempotent, itself: only requests that Spring sends to a handler are protected, so that call runs"
                        + " UNPROTECTED. Make the caller @Idempotent too, or move the work into a bean whose @Idempotent method has a key.");
    }
}
