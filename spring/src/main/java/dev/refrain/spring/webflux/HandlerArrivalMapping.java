package dev.refrain.spring.webflux;

import dev.refrain.spring.internal.handler.HandlerGate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.PriorityOrdered;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebHandler;
import reactor.core.publisher.Mono;

/**
 * Mapping that matches nothing and records that a request has passed all filters: the dispatcher consults it before every other.
 * A request that returns without having been here was rejected by a filter. The gate is found by the exchange or by the Reactor
 * context, so a filter that replaces one of them hides nothing.
 */
final class HandlerArrivalMapping implements HandlerMapping, PriorityOrdered {

    /** Attaches a gate to a request whose handler is found. */
    static void expect(ServerWebExchange exchange, Object handler) {
        exchange.getAttributes()
                .put(HandlerGate.ATTRIBUTE, new HandlerGate(handler, () -> RefrainWebFilter.claim(exchange)));
    }

    static Optional<HandlerGate> gateOf(ServerWebExchange exchange) {
        return Optional.ofNullable(exchange.getAttribute(HandlerGate.ATTRIBUTE));
    }

    /** Returns true if requests reach their handlers only through this mapping. */
    static boolean isConsultedFirst(@Nullable WebHandler behindFilters) {
        return behindFilters instanceof DispatcherHandler dispatcher
                && dispatcher.getHandlerMappings() != null
                && dispatcher.getHandlerMappings().getFirst() instanceof HandlerArrivalMapping;
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public Mono<Object> getHandler(ServerWebExchange exchange) {
        return Mono.deferContextual(context -> {
            gateOf(exchange)
                    .or(() -> context.<HandlerGate>getOrEmpty(HandlerGate.class))
                    .ifPresent(HandlerGate::arrive);
            return Mono.empty();
        });
    }
}
