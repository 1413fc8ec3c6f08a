package dev.refrain.spring.mvc;

import dev.refrain.http.RoutePolicy;
import dev.refrain.http.contract.PublishedRouteContract;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.http.servlet.RouteFinder;
import dev.refrain.spring.internal.handler.MappedHandler;
import dev.refrain.spring.internal.handler.ProtectedHandlerRegistry;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.handler.AbstractHandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Finds the protected handlers of Spring MVC, listed at startup. A request is matched to its handler before its key is claimed,
 * so a request that Spring itself rejects (404, 405, 406, 415) consumes no key.
 */
final class MvcRouteFinder implements RouteFinder, SmartInitializingSingleton {

    private final ProtectedHandlerRegistry handlers;
    private final Supplier<List<HandlerMapping>> mappings;

    MvcRouteFinder(ProtectedHandlerRegistry handlers, Supplier<List<HandlerMapping>> mappings) {
        this.handlers = handlers;
        this.mappings = mappings;
    }

    @Override
    public void afterSingletonsInstantiated() {
        var all = new ArrayList<MappedHandler>();
        for (var mapping : mappings.get()) {
            if (mapping instanceof RequestMappingHandlerMapping annotated) {
                annotated
                        .getHandlerMethods()
                        .forEach((info, handler) -> all.add(new MappedHandler(
                                handler, info.getMethodsCondition().getMethods(), info.getPatternValues())));
            }
        }
        handlers.register(all);
        if (mappings.get().stream().anyMatch(MvcRouteFinder::takesAnyCase)) {
            handlers.rejectCaseSensitiveRoutes(all);
        }
    }

    private static boolean takesAnyCase(HandlerMapping mapping) {
        var parser = mapping instanceof AbstractHandlerMapping made ? made.getPatternParser() : null;
        return parser != null && !parser.isCaseSensitive();
    }

    /** Returns true if a request to this handler must be protected. */
    boolean isProtected(String method, HandlerMethod handler) {
        return handlers.mayProtect(method) && handlers.protectionOf(handler).isPresent();
    }

    @Override
    public Optional<RouteProtection> find(HttpServletRequest request) {
        if (!handlers.mayProtect(request.getMethod())) {
            return Optional.empty();
        }
        var handler = handler(request);
        if (handler == null) {
            return Optional.empty();
        }
        var annotated = handler instanceof HandlerMethod method
                ? handlers.protectionOf(method)
                : Optional.<RouteProtection>empty();
        return annotated.or(() -> RouteFinder.firstOf(handlers.declared()).find(request));
    }

    /** Returns the handler that Spring will choose; null if Spring will reject the request. */
    private @Nullable Object handler(HttpServletRequest request) {
        boolean parsed = ServletRequestPathUtils.hasParsedRequestPath(request);
        try {
            if (!parsed) {
                ServletRequestPathUtils.parseAndCache(request);
            }
            for (var mapping : mappings.get()) {
                var chain = mapping.getHandler(request);
                if (chain != null) {
                    HandlerGateFilter.expect(request, chain);
                    return chain.getHandler();
                }
            }
            return null;
        } catch (Exception refused) {
            return null;
        } finally {
            if (!parsed) {
                ServletRequestPathUtils.clearParsedRequestPath(request);
            }
        }
    }

    /** Returns the policy of a handler that is protected by its annotation. */
    Optional<RoutePolicy> policyOf(HandlerMethod handler) {
        return handlers.policyOf(handler);
    }

    PublishedRouteContract contract() {
        return handlers.contract();
    }
}
