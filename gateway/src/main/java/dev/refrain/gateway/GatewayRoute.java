package dev.refrain.gateway;

import dev.refrain.http.policy.Route;

/** A protected route, and what is known of the service behind it. */
public record GatewayRoute(Route route, UpstreamRules upstream) {}
