package dev.refrain.spring.mvc;

import dev.refrain.spring.internal.handler.HandlerGate;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.MethodParameter;
import org.springframework.core.Ordered;
import org.springframework.core.convert.ConversionService;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.method.support.CompositeUriComponentsContributor;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.HandlerMethodArgumentResolverComposite;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.method.support.UriComponentsContributor;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * Proves that Spring could not resolve the arguments of an annotated handler and so cannot have called it: a body that is
 * unreadable, invalid or of an unsupported type, or a missing parameter. It runs before Spring's own argument resolvers and
 * resolves nothing itself. Violations across several arguments show afterwards, by a Spring exception that names the handler.
 */
final class HandlerArgumentGate implements SmartInitializingSingleton, HandlerExceptionResolver, Ordered {

    private final Supplier<List<RequestMappingHandlerAdapter>> adapters;

    HandlerArgumentGate(Supplier<List<RequestMappingHandlerAdapter>> adapters) {
        this.adapters = adapters;
    }

    /** Wraps the argument resolvers after all other beans had a chance to change them. */
    @Override
    public void afterSingletonsInstantiated() {
        for (var adapter : adapters.get()) {
            var resolvers = adapter.getArgumentResolvers();
            if (resolvers != null) {
                adapter.setArgumentResolvers(List.of(new WatchedResolvers(resolvers)));
            }
        }
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception failure) {
        if (failure instanceof HandlerMethodValidationException invalid
                && !invalid.isForReturnValue()
                && request.getDispatcherType() == DispatcherType.REQUEST) {
            HandlerGateFilter.gateOf(request)
                    .filter(gate -> gate.isBefore(invalid.getMethod()))
                    .ifPresent(HandlerGate::refuseArrived);
        }
        return null;
    }

    /** Delegates to the original resolvers, also for building links to handlers. */
    private static final class WatchedResolvers implements HandlerMethodArgumentResolver, UriComponentsContributor {

        private final HandlerMethodArgumentResolverComposite resolvers = new HandlerMethodArgumentResolverComposite();
        private final UriComponentsContributor links;

        WatchedResolvers(List<HandlerMethodArgumentResolver> resolvers) {
            this.resolvers.addResolvers(resolvers);
            this.links = new CompositeUriComponentsContributor(List.copyOf(resolvers));
        }

        @Override
        public boolean supportsParameter(MethodParameter parameter) {
            return resolvers.supportsParameter(parameter);
        }

        @Override
        public void contributeMethodArgument(
                MethodParameter parameter,
                Object value,
                UriComponentsBuilder builder,
                Map<String, Object> variables,
                ConversionService conversion) {
            links.contributeMethodArgument(parameter, value, builder, variables, conversion);
        }

        @Override
        public @Nullable Object resolveArgument(
                MethodParameter parameter,
                @Nullable ModelAndViewContainer model,
                NativeWebRequest request,
                @Nullable WebDataBinderFactory binders)
                throws Exception {
            try {
                return resolvers.resolveArgument(parameter, model, request, binders);
            } catch (Exception refused) {
                refuse(parameter, request);
                throw refused;
            }
        }

        private static void refuse(MethodParameter parameter, NativeWebRequest request) {
            var asked = request.getNativeRequest(HttpServletRequest.class);
            if (asked != null && asked.getDispatcherType() == DispatcherType.REQUEST) {
                HandlerGateFilter.gateOf(asked)
                        .filter(gate -> gate.isBefore(parameter.getMethod()))
                        .ifPresent(HandlerGate::refuseArrived);
            }
        }
    }
}
