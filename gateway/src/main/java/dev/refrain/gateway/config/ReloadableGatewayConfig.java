package dev.refrain.gateway.config;

import dev.refrain.gateway.scope.GatewayScopeResolver;
import dev.refrain.http.edge.RefrainEndpointPaths;
import java.util.List;

/**
 * Settings that can change while the gateway runs.
 *
 *
 * @param routes the first one that matches a request holds for it
 * @param scopes whose keys a request uses
 * @param namespace the API whose keys they are, among others in the same store
 * @param places where the contract and the status of requests are served
 */
public record ReloadableGatewayConfig(
        UpstreamEndpoint target,
        List<GatewayRoute> routes,
        GatewayScopeResolver scopes,
        String namespace,
        RefrainEndpointPaths places) {

    public ReloadableGatewayConfig {
        routes = List.copyOf(routes);
    }
}
