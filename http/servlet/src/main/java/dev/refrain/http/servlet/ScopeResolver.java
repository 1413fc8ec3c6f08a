package dev.refrain.http.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Optional;

/**
 * Resolves the scope of a request's keys. The scope must come from the authenticated caller, never from anything that a client
 * can forge.
 */
@FunctionalInterface
public interface ScopeResolver {

    /** Returns the scope; empty if the caller is unknown, which rejects the request. */
    Optional<String> scopeOf(HttpServletRequest request);

    /** Resolves to the name of the authenticated principal. */
    static ScopeResolver principal() {
        return request -> Optional.ofNullable(request.getUserPrincipal()).map(Principal::getName);
    }

    /** Puts all requests into one scope, for an application with a single tenant; must be chosen explicitly. */
    static ScopeResolver shared() {
        return request -> Optional.of("");
    }
}
