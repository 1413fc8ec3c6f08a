package dev.refrain.gateway.internal.scope;

import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.server.Request;

/** Finds the scope of a request. Thread-safe. */
@FunctionalInterface
public interface GatewayScopeResolver {

    /**
     * Returns the scope; empty if the caller is unknown, in which case a protected request is refused.
     *
     *
     * @throws ScopeLookupFailedException if that cannot be found out now
     */
    Optional<String> scopeOf(Request request);

    /** Returns whether the upstream must not see this header, because it claims an identity that its sender is not trusted to claim. */
    default boolean mustBeStripped(String header, Request request) {
        return false;
    }

    /** Returns the configured headers that the scope is read from. */
    default List<String> headers() {
        return List.of();
    }

    /** Returns a resolver with one scope for all callers. */
    static GatewayScopeResolver shared() {
        return request -> Optional.of("");
    }
}
