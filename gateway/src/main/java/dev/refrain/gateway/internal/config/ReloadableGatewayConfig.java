package dev.refrain.gateway.internal.config;

import dev.refrain.gateway.internal.scope.GatewayScopeResolver;
import dev.refrain.http.edge.ContractAndStatusPaths;
import dev.refrain.observe.LoggedKeyFormat;
import java.util.List;

/**
 * Settings that can change while the gateway runs.
 *
 *
 * @param routes the first one that matches a request holds for it
 * @param scopes whose keys a request uses
 * @param namespace the API whose keys they are, among others in the same store
 * @param places where the contract and the status of requests are served
 * @param others what becomes of requests that have a key and that no route covers
 * @param loggedKeys how the log shows keys
 */
public record ReloadableGatewayConfig(
        UpstreamEndpoint target,
        List<GatewayRoute> routes,
        GatewayScopeResolver scopes,
        String namespace,
        ContractAndStatusPaths places,
        UncoveredRequestPolicy others,
        LoggedKeyFormat loggedKeys) {

    public ReloadableGatewayConfig {
        routes = List.copyOf(routes);
    }
}
