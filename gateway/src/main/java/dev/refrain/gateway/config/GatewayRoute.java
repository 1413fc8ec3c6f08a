package dev.refrain.gateway.config;

import dev.refrain.http.Route;

/** A protected route, and what is known of the service behind it. */
public record GatewayRoute(Route route, UpstreamPolicy upstream) {}
