package dev.refrain.gateway;

import dev.refrain.Refrain;
import dev.refrain.gateway.UpstreamRules.ServerErrors;
import dev.refrain.gateway.UpstreamRules.Unanswered;
import dev.refrain.http.Places;
import dev.refrain.http.Protection;
import dev.refrain.http.cases.Edge;
import dev.refrain.http.cases.Handler;
import dev.refrain.http.cases.Way;
import dev.refrain.http.policy.Mode;
import dev.refrain.http.policy.Route;
import dev.refrain.store.TakeOver;
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
record GatewayEdge(GatewayServer gateway, Optional<OtherProcess> foreign, PlainUpstream upstream) implements Edge {

    static GatewayEdge start(Refrain refrain, List<Route> routes, Handler handler) throws Exception {
        var upstream = new PlainUpstream(handler);
        return new GatewayEdge(started(refrain, routes, upstream.address()), Optional.empty(), upstream);
    }

    /** @param program with its arguments; another port is added to them */
    static Starter before(String... program) {
        return (refrain, routes, handler) -> {
            var upstream = new PlainUpstream(handler);
            var command = new ArrayList<>(List.of(program));
            command.add(upstream.address().replaceAll(".*:", ""));
            var service = OtherProcess.start(command, Map.of());
            var gateway = started(refrain, routes, "http://127.0.0.1:" + service.port());
            return new GatewayEdge(gateway, Optional.of(service), upstream);
        };
    }

    private static GatewayServer started(Refrain refrain, List<Route> routes, String address) throws Exception {
        var policies = new Policies(
                Target.of(address),
                routes.stream().map(GatewayEdge::guarded).toList(),
                request -> Optional.ofNullable(request.getHeaders().get("X-User")),
                Protection.NAMESPACE,
                Places.DEFAULT);
        return GatewayServer.start(
                refrain, policies, Listening.on("127.0.0.1", 0), ClientLimits.DEFAULT, (request, response) -> {});
    }

    private static GatewayRoute guarded(Route route) {
        boolean holds = route.policy().run().mode() instanceof Mode.Leased leased && leased.takeOver() == TakeOver.HOLD;
        var rules = UpstreamRules.DEFAULT;
        return new GatewayRoute(
                route,
                new UpstreamRules(
                        rules.key(),
                        holds ? rules.onUnanswered() : new Unanswered.SendAgain(Duration.ofDays(1)),
                        ServerErrors.ANSWER,
                        Set.of(),
                        rules.timeout()));
    }

    @Override
    public int port() {
        return gateway.port();
    }

    @Override
    public Set<Way> supportedStyles() {
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
