package dev.refrain.spring.webflux;

import java.security.Principal;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Says whose keys a request uses. It must come from the authenticated caller, never from what a client can forge. */
@FunctionalInterface
public interface ReactiveScopeResolver {

    /** Empty if nobody is known: the request is then refused. */
    Mono<String> scopeOf(ServerWebExchange exchange);

    /** The authenticated principal's name. */
    static ReactiveScopeResolver principal() {
        return exchange -> exchange.getPrincipal().map(Principal::getName);
    }

    /** All requests share their keys: for an application with one tenant, which its author has to say. */
    static ReactiveScopeResolver oneTenant() {
        return exchange -> Mono.just("");
    }
}
