package dev.refrain.gateway;

import dev.refrain.Refrain;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.gateway.internal.config.GatewayListenSettings;
import dev.refrain.gateway.internal.config.GatewayRoute;
import dev.refrain.gateway.internal.config.ReloadableGatewayConfig;
import dev.refrain.gateway.internal.config.UncoveredRequestPolicy;
import dev.refrain.gateway.internal.config.UpstreamConnectionSettings;
import dev.refrain.gateway.internal.config.UpstreamEndpoint;
import dev.refrain.gateway.internal.config.UpstreamPolicy;
import dev.refrain.gateway.internal.config.UpstreamPolicy.ServerErrorMeaning;
import dev.refrain.gateway.internal.config.UpstreamPolicy.UnansweredPolicy;
import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.http.cases.EdgeUnderTest;
import dev.refrain.http.cases.HandlerResponseStyle;
import dev.refrain.http.cases.TestHandler;
import dev.refrain.http.edge.BufferBudget;
import dev.refrain.http.edge.ContractAndStatusPaths;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.observe.LoggedKeyFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A gateway in front of a plain service, whose 5xx are answers like any other: what the cases ask of every edge.
 *
 * @param foreign the service, if that is a program in another language, which asks {@code upstream} what to answer
 */
record GatewayEdge(GatewayServer gateway, Optional<ServiceProcess> foreign, PlainUpstream upstream, BufferBudget budget)
        implements EdgeUnderTest {

    static GatewayEdge start(Refrain refrain, List<Route> routes, TestHandler handler) throws Exception {
        var upstream = new PlainUpstream(handler);
        var budget = BufferBudget.ofHeap();
        return new GatewayEdge(
                started(refrain, routes, upstream.address(), budget), Optional.empty(), upstream, budget);
    }

    /** @param program with its arguments; another port is added to them */
    static Starter before(String... program) {
        return (refrain, routes, handler) -> {
            var upstream = new PlainUpstream(handler);
            var command = new ArrayList<>(List.of(program));
            command.add(upstream.address().replaceAll(".*:", ""));
            var service = ServiceProcess.start(command, Map.of());
            var budget = BufferBudget.ofHeap();
            var gateway = started(refrain, routes, "http://127.0.0.1:" + service.port(), budget);
            return new GatewayEdge(gateway, Optional.of(service), upstream, budget);
        };
    }

    private static GatewayServer started(Refrain refrain, List<Route> routes, String address, BufferBudget budget)
            throws Exception {
        var policies = new ReloadableGatewayConfig(
                UpstreamEndpoint.of(address),
                routes.stream().map(GatewayEdge::guarded).toList(),
                request -> Optional.ofNullable(request.getHeaders().get("X-User")),
                RouteProtection.NAMESPACE,
                ContractAndStatusPaths.DEFAULT,
                UncoveredRequestPolicy.PASS,
                LoggedKeyFormat.SHORTENED);
        return GatewayServer.start(
                refrain,
                policies,
                GatewayListenSettings.on("127.0.0.1", 0),
                UpstreamConnectionSettings.DEFAULT,
                (request, response) -> {},
                budget);
    }

    private static GatewayRoute guarded(Route route) {
        boolean holds = route.policy().run().mode() instanceof OperationMode.Leased leased
                && leased.takeOver() == LeaseExpiryPolicy.HOLD;
        var rules = UpstreamPolicy.DEFAULT;
        return new GatewayRoute(
                route,
                new UpstreamPolicy(
                        rules.key(),
                        holds ? rules.onUnanswered() : new UnansweredPolicy.Resend(Duration.ofDays(1)),
                        ServerErrorMeaning.ANSWER,
                        Set.of(),
                        rules.timeout()));
    }

    @Override
    public int port() {
        return gateway.port();
    }

    @Override
    public Set<HandlerResponseStyle> supportedStyles() {
        return PlainUpstream.ways();
    }

    @Override
    public void close() throws Exception {
        gateway.close();
        if (foreign.isPresent()) {
            foreign.get().close();
        }
        upstream.close();
    }
}
