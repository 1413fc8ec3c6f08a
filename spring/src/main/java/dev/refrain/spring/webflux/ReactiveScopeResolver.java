package dev.refrain.spring.webflux;

import java.security.Principal;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Resolves the scope of a request's keys. The scope must come from the authenticated caller, never from anything that a client
 * can forge.
 */
@FunctionalInterface
public interface ReactiveScopeResolver {

    /** Returns the scope; empty if the caller is unknown, which rejects the request. */
    Mono<String> scopeOf(ServerWebExchange exchange);

    /** Resolves to the name of the authenticated principal. */
    static ReactiveScopeResolver principal() {
        return exchange -> exchange.getPrincipal().map(Principal::getName);
    }

    /** Puts all requests into one scope, for an application with a single tenant; must be chosen explicitly. */
    static ReactiveScopeResolver shared() {
        return exchange -> Mono.just("");
    }
}
