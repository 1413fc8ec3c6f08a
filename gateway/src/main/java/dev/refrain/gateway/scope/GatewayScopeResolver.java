package dev.refrain.gateway.scope;

import java.util.Optional;
import org.eclipse.jetty.server.Request;

/** Says who sends a request. Thread-safe. */
@FunctionalInterface
public interface GatewayScopeResolver {

    /**
     * Empty if it is nobody who is known: a protected request is then refused.
     *
     * @throws ScopeUnavailableException if that cannot be found out now
     */
    Optional<String> scopeOf(Request request);

    /** Whether this header says who sends the request without being believed: the service behind, which believes it, must not see it. */
    default boolean mustBeStripped(String header, Request request) {
        return false;
    }

    /** There is only one tenant: everybody shares their keys. */
    static GatewayScopeResolver singleTenant() {
        return request -> Optional.of("");
    }
}
