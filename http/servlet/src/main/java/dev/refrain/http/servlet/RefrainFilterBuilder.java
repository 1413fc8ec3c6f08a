package dev.refrain.http.servlet;

import dev.refrain.Operation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.http.contract.PublishedRouteContract;
import dev.refrain.http.edge.KeyStatusEndpoint;
import dev.refrain.http.edge.RefrainEndpointPaths;
import dev.refrain.http.edge.RefrainEndpoints;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.http.edge.TransactionalRunner;
import dev.refrain.store.StoreTransactionFactory;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What can be chosen about a {@link RefrainFilter}. Not thread-safe. */
public final class RefrainFilterBuilder {

    private final Refrain refrain;
    private final List<Route> routes = new ArrayList<>();
    private @Nullable ScopeResolver scopes;
    private Optional<TransactionalRunner.Factory> transactions = Optional.empty();
    private ErrorResponseWriter errorWriter = ErrorResponseWriter.problem();
    private RefrainEndpointPaths endpointPaths = RefrainEndpointPaths.DEFAULT;
    private @Nullable RouteFinder finder;
    private @Nullable Supplier<PublishedRouteContract> contract;

    RefrainFilterBuilder(Refrain refrain) {
        this.refrain = refrain;
    }

    /** Whose keys a request uses. There is no default: keys of different callers must not meet. */
    public RefrainFilterBuilder scope(ScopeResolver resolver) {
        this.scopes = resolver;
        return this;
    }

    /** Such as {@code POST /payments/{id}/capture}. The first route that matches holds. */
    public RefrainFilterBuilder route(String methodsAndPath, RoutePolicy policy) {
        return route(Route.of(methodsAndPath, policy));
    }

    public RefrainFilterBuilder route(Route route) {
        routes.add(route);
        return this;
    }

    /** Routes that something else finds and describes, instead of those named here. */
    public RefrainFilterBuilder routes(RouteFinder others, Supplier<PublishedRouteContract> described) {
        this.finder = others;
        this.contract = described;
        return this;
    }

    /**
     * The transactions that transactional routes run in. The handler reaches its own through a {@link
     * TransactionalDataSource}.
     */
    public RefrainFilterBuilder transactions(StoreTransactionFactory<Connection> given) {
        this.transactions = Optional.of(operation -> inTransactions(operation, given));
        return this;
    }

    /** How answers given by {@code sendError} are written where they are kept; by default as a problem. */
    public RefrainFilterBuilder errorWriter(ErrorResponseWriter answer) {
        this.errorWriter = answer;
        return this;
    }

    /** Where the contract and the status of requests are served. */
    public RefrainFilterBuilder endpointPaths(RefrainEndpointPaths others) {
        this.endpointPaths = others;
        return this;
    }

    public RefrainFilter build() {
        if (scopes == null) {
            throw new IllegalArgumentException(
                    "scope: say whose keys a request uses, ScopeResolver.principal() for example, or oneTenant() if there is only one.");
        }
        var found = finder;
        var described = contract;
        return new RefrainFilter(
                scopes,
                errorWriter,
                endpointPaths,
                found != null && described != null
                        ? told -> new RefrainFilter.ServedRoutes(endpoints(told, described), found)
                        : serving(List.copyOf(routes)));
    }

    private Function<RefrainEndpointPaths, RefrainFilter.ServedRoutes> serving(List<Route> named) {
        var transactor = transactions;
        return told -> {
            var protections = named.stream()
                    .map(route -> RouteProtection.of(refrain, route, told, transactor))
                    .toList();
            var contract = new PublishedRouteContract(named, told);
            return new RefrainFilter.ServedRoutes(endpoints(told, () -> contract), RouteFinder.firstOf(protections));
        };
    }

    private RefrainEndpoints endpoints(RefrainEndpointPaths told, Supplier<PublishedRouteContract> described) {
        return new RefrainEndpoints(
                told,
                new KeyStatusEndpoint(refrain, told),
                () -> described.get().html(),
                () -> described.get().json());
    }

    private static TransactionalRunner inTransactions(
            Operation<Outcome.Answer> operation, StoreTransactionFactory<Connection> transactions) {
        var transactional = operation.transactional(transactions);
        return new TransactionalRunner() {
            @Override
            public <X extends Exception> OperationResult attempt(OperationCall call, TransactionalHandler<X> handler)
                    throws X {
                return transactional.runForResult(call, (claim, connection) -> {
                    try (var bound = ThreadBoundConnection.bind(connection)) {
                        return handler.run(claim);
                    }
                });
            }
        };
    }
}
