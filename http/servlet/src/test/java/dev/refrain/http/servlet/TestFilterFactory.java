package dev.refrain.http.servlet;

import dev.refrain.Refrain;
import dev.refrain.http.Route;
import dev.refrain.http.edge.BufferBudget;
import java.util.List;
import java.util.Optional;

/** The filter as the cases need it. */
final class TestFilterFactory {

    private TestFilterFactory() {}

    static RefrainFilter of(Refrain refrain, List<Route> routes, BufferBudget budget) {
        var builder = RefrainFilter.builder(refrain)
                .bufferBudget(budget)
                .scope(request -> Optional.ofNullable(request.getHeader("X-User")));
        routes.forEach(builder::route);
        return builder.build();
    }
}
