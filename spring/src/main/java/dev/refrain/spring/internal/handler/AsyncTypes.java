package dev.refrain.spring.internal.handler;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** Types whose values are there before the work behind them is done: futures, publishers, streams. */
public final class AsyncTypes {

    /** Types of Spring MVC, which need not be on the class path. */
    private static final List<String> OF_MVC = List.of(
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

    private static final String CONTINUATION = "kotlin.coroutines.Continuation";

    private static final String HTTP_ENTITY = "org.springframework.http.HttpEntity";

    private AsyncTypes() {}

    /** Returns true for futures and publishers of any library. */
    public static boolean isAsync(Class<?> type) {
        return Future.class.isAssignableFrom(type)
                || CompletionStage.class.isAssignableFrom(type)
                || Flow.Publisher.class.isAssignableFrom(type)
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
    }

    /**
     * Returns true if a value of this type, or what is inside of it, such as the body of a {@code ResponseEntity} or the value of an {@code
     * Optional}, is made after the method has returned.
     */
    public static boolean isAsyncResponse(ResolvableType type) {
        var raw = type.resolve(Object.class);
        return isAsync(raw)
                || Callable.class.isAssignableFrom(raw)
                || Stream.concat(superclasses(raw), ClassUtils.getAllInterfacesForClassAsSet(raw).stream())
                        .anyMatch(each -> OF_MVC.contains(each.getName()))
                || hasAsyncArgument(type)
                // A subclass may name its body in its superclass.
                || superclasses(raw)
                        .filter(each -> each.getName().equals(HTTP_ENTITY))
                        .anyMatch(entity -> hasAsyncArgument(type.as(entity)));
    }

    /** Returns true for a Kotlin function that suspends: it returns at its first suspension, and goes on in a continuation. */
    public static boolean isSuspending(Method method) {
        var parameters = method.getParameterTypes();
        return parameters.length > 0
                && parameters[parameters.length - 1].getName().equals(CONTINUATION);
    }

    private static boolean hasAsyncArgument(ResolvableType type) {
        return type.getType() instanceof ParameterizedType
                && Stream.of(type.getGenerics()).anyMatch(AsyncTypes::isAsyncResponse);
    }

    private static Stream<Class<?>> superclasses(Class<?> type) {
        return Stream.<Class<?>>iterate(type, each -> each != null, Class::getSuperclass);
    }
}
