package dev.refrain.gateway.internal.config;

import dev.refrain.http.Route;

/** Protected route with the policy of its upstream. */
public record GatewayRoute(Route route, UpstreamPolicy upstream) {}
