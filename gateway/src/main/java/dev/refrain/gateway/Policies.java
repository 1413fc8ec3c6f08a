package dev.refrain.gateway;

import dev.refrain.gateway.scope.ScopeSource;
import dev.refrain.http.Places;
import java.util.List;

/**
 * What can be changed while the gateway runs.
 *
 * @param routes the first one that matches a request holds for it
 * @param scopes whose keys a request uses
 * @param namespace the API whose keys they are, among others in the same store
 * @param places where the contract and the status of requests are served
 */
public record Policies(Target target, List<GatewayRoute> routes, ScopeSource scopes, String namespace, Places places) {

    public Policies {
        routes = List.copyOf(routes);
    }
}
