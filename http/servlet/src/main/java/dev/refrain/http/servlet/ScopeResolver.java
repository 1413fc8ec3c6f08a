package dev.refrain.http.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Optional;

/** Says whose keys a request uses. It must come from the authenticated caller, never from what a client can forge. */
@FunctionalInterface
public interface ScopeResolver {

    /** Empty if nobody is known: the request is then refused. */
    Optional<String> scopeOf(HttpServletRequest request);

    /** The authenticated principal's name. */
    static ScopeResolver principal() {
        return request -> Optional.ofNullable(request.getUserPrincipal()).map(Principal::getName);
    }

    /** All requests share their keys: for an application with one tenant, which its author has to say. */
    static ScopeResolver singleTenant() {
        return request -> Optional.of("");
    }
}
