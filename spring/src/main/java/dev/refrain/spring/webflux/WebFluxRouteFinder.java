package dev.refrain.spring.webflux;

import dev.refrain.http.contract.PublishedRouteContract;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.spring.internal.handler.MappedHandler;
import dev.refrain.spring.internal.handler.ProtectedHandlerRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.handler.AbstractHandlerMapping;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.WebHandler;
import org.springframework.web.util.pattern.PathPattern;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Finds the protected handlers of WebFlux, listed at startup. A request is matched to its handler before its key is claimed, so a
 * request that Spring itself rejects (404, 405, 406, 415) consumes no key. Functional endpoints are protected by declared routes.
 */
final class WebFluxRouteFinder implements SmartInitializingSingleton {

    private final ProtectedHandlerRegistry handlers;
    private final Supplier<List<HandlerMapping>> mappings;
    private final Supplier<@Nullable WebHandler> behindFilters;
    private volatile List<HandlerMapping> inOrder = List.of();
    private volatile boolean arrivalsAreSeen;

    /**
     * @param behindFilters what the filters pass a request to
     */
    WebFluxRouteFinder(
            ProtectedHandlerRegistry handlers,
            Supplier<List<HandlerMapping>> mappings,
            Supplier<@Nullable WebHandler> behindFilters) {
        this.handlers = handlers;
        this.mappings = mappings;
        this.behindFilters = behindFilters;
    }

    @Override
    public void afterSingletonsInstantiated() {
        inOrder = mappings.get().stream()
                .filter(mapping -> !(mapping instanceof HandlerArrivalMapping))
                .toList();
        arrivalsAreSeen = HandlerArrivalMapping.isConsultedFirst(behindFilters.get());
        var all = new ArrayList<MappedHandler>();
        for (var mapping : inOrder) {
            if (mapping instanceof RequestMappingHandlerMapping annotated) {
                annotated.getHandlerMethods().forEach((info, handler) -> all.add(mapped(info, handler)));
            }
        }
        handlers.register(all);
        if (inOrder.stream().anyMatch(WebFluxRouteFinder::takesAnyCase)) {
            handlers.rejectCaseSensitiveRoutes(all);
        }
    }

    private static boolean takesAnyCase(HandlerMapping mapping) {
        return mapping instanceof AbstractHandlerMapping made
                && !made.getPathPatternParser().isCaseSensitive();
    }

    private static MappedHandler mapped(RequestMappingInfo info, HandlerMethod handler) {
        var patterns = new LinkedHashSet<String>();
        for (PathPattern pattern : info.getPatternsCondition().getPatterns()) {
            patterns.add(pattern.getPatternString());
        }
        return new MappedHandler(handler, info.getMethodsCondition().getMethods(), patterns);
    }

    /**
     * Returns the protection of the handler that Spring will choose; empty if it has none, or if Spring will reject the request.
     */
    Mono<RouteProtection> find(ServerWebExchange exchange) {
        String method = exchange.getRequest().getMethod().name();
        if (!handlers.mayProtect(method)) {
            return Mono.empty();
        }
        var asking = new LookupExchange(exchange);
        return Flux.fromIterable(inOrder)
                .concatMap(mapping -> mapping.getHandler(asking))
                .next()
                .onErrorComplete()
                .flatMap(handler -> Mono.justOrEmpty(protection(handler, method, pathOf(exchange)))
                        .doOnNext(found -> expectArrival(exchange, handler)));
    }

    private void expectArrival(ServerWebExchange exchange, Object handler) {
        if (arrivalsAreSeen) {
            HandlerArrivalMapping.expect(exchange, handler);
        }
    }

    private Optional<RouteProtection> protection(Object handler, String method, String path) {
        if (handler instanceof HandlerMethod annotated) {
            return handlers.protectionOf(annotated, method, path);
        }
        return handler instanceof HandlerFunction<?> ? handlers.ofRoute(method, path) : Optional.empty();
    }

    PublishedRouteContract contract() {
        return handlers.contract();
    }

    /** Returns the path below the base path of the application, as sent. */
    static String pathOf(ServerWebExchange exchange) {
        return exchange.getRequest().getPath().pathWithinApplication().value();
    }

    /** Exchange for the lookup only: handler mappings set attributes that the handler must not see. */
    private static final class LookupExchange extends ServerWebExchangeDecorator {
        private final Map<String, Object> attributes;

        LookupExchange(ServerWebExchange exchange) {
            super(exchange);
            attributes = new HashMap<>(exchange.getAttributes());
        }

        @Override
        public Map<String, Object> getAttributes() {
            return attributes;
        }
    }
}
