package dev.refrain.spring.webflux;

import dev.refrain.spring.internal.handler.HandlerGate;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.NullValueInNestedPathException;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Proves that WebFlux could not resolve the arguments of an annotated handler and so cannot have called it: a body that is
 * unreadable, invalid or of an unsupported type, or a missing parameter. A body that the handler takes as a {@code Mono} is read
 * after it has started, and proves nothing. Violations across several arguments show afterwards, by a Spring exception that names
 * the handler.
 *
 * <p>WebFlux has no door to its argument resolvers, so they are wrapped through private fields. Where these are missing, in
 * another version of Spring, nothing is proven: rejected requests then consume their keys, which a warning says at start.
 */
final class ReactiveArgumentGate implements SmartInitializingSingleton {

    private static final System.Logger LOG = System.getLogger(ReactiveArgumentGate.class.getName());
    private static final String RESOLVERS = "methodResolver.requestMappingResolvers";

    private final Supplier<List<RequestMappingHandlerAdapter>> adapters;

    ReactiveArgumentGate(Supplier<List<RequestMappingHandlerAdapter>> adapters) {
        this.adapters = adapters;
    }

    /** Wraps the argument resolvers after all other beans had a chance to change them. */
    @Override
    public void afterSingletonsInstantiated() {
        for (var adapter : adapters.get()) {
            try {
                wrap(adapter);
            } catch (BeansException | UnsupportedOperationException | ClassCastException unknown) {
                LOG.log(
                        Level.WARNING,
                        "Cannot watch the argument resolvers of "
                                + adapter.getClass().getName()
                                + ": a request that Spring rejects because of its arguments (400, 415) consumes its key.",
                        unknown);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static void wrap(RequestMappingHandlerAdapter adapter) {
        var resolvers =
                (List<HandlerMethodArgumentResolver>) new DirectFieldAccessor(adapter).getPropertyValue(RESOLVERS);
        if (resolvers == null) {
            throw new NullValueInNestedPathException(adapter.getClass(), RESOLVERS);
        }
        resolvers.replaceAll(WatchedResolver::new);
    }

    /** Records the proof in a validation error of all arguments together; every other error proves nothing by its type. */
    static void refuseInvalid(ServerWebExchange exchange, Throwable failure) {
        if (failure instanceof HandlerMethodValidationException invalid
                && !invalid.isForReturnValue()
                && Arrays.stream(invalid.getMethod().getParameterTypes()).noneMatch(ReactiveArgumentGate::comesLater)) {
            refuse(exchange, invalid.getMethod());
        }
    }

    private static void refuse(ServerWebExchange exchange, @Nullable Method method) {
        HandlerArrivalMapping.gateOf(exchange)
                .filter(gate -> gate.isBefore(method))
                .ifPresent(HandlerGate::refuseArrived);
    }

    /** Returns true for reactive types: a handler with a {@code Mono} argument may have started before its body proves invalid. */
    private static boolean comesLater(Class<?> argument) {
        return ReactiveAdapterRegistry.getSharedInstance().getAdapter(argument) != null;
    }

    private record WatchedResolver(HandlerMethodArgumentResolver resolver) implements HandlerMethodArgumentResolver {

        @Override
        public boolean supportsParameter(MethodParameter parameter) {
            return resolver.supportsParameter(parameter);
        }

        @Override
        public Mono<Object> resolveArgument(
                MethodParameter parameter, BindingContext binding, ServerWebExchange exchange) {
            return Mono.defer(() -> resolver.resolveArgument(parameter, binding, exchange))
                    .doOnError(failure -> refuse(exchange, parameter.getMethod()));
        }
    }
}
