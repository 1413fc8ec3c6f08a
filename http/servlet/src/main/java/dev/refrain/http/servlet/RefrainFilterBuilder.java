package dev.refrain.http.servlet;

import dev.refrain.Operation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.http.contract.PublishedRouteContract;
import dev.refrain.http.edge.BufferBudget;
import dev.refrain.http.edge.ContractAndStatusPages;
import dev.refrain.http.edge.ContractAndStatusPaths;
import dev.refrain.http.edge.KeyStatusEndpoint;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.http.edge.TransactionalRunner;
import dev.refrain.http.edge.UncoveredKeyReporter;
import dev.refrain.store.StoreTransactionFactory;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Builder of a {@link RefrainFilter}. Not thread-safe. */
public final class RefrainFilterBuilder {

    private final Refrain refrain;
    private final List<Route> routes = new ArrayList<>();
    private @Nullable ScopeResolver scopes;
    private TransactionalRunner.@Nullable Factory transactions;
    private ErrorResponseWriter errorWriter = ErrorResponseWriter.problem();
    private ContractAndStatusPaths endpointPaths = ContractAndStatusPaths.DEFAULT;
    private BufferBudget budget = BufferBudget.ofHeap();
    private final List<Function<ContractAndStatusPaths, KeyStatusEndpoint>> otherStatuses = new ArrayList<>();
    private @Nullable RouteFinder finder;
    private @Nullable Supplier<PublishedRouteContract> contract;

    RefrainFilterBuilder(Refrain refrain) {
        this.refrain = refrain;
    }

    /** Sets the resolver of the caller's scope. There is no default, since different callers must not share keys. */
    public RefrainFilterBuilder scope(ScopeResolver resolver) {
        this.scopes = resolver;
        return this;
    }

    /** Adds a route such as {@code POST /payments/{id}/capture}. The first matching route applies. */
    public RefrainFilterBuilder route(String methodsAndPath, RoutePolicy policy) {
        return route(Route.of(methodsAndPath, policy));
    }

    public RefrainFilterBuilder route(Route route) {
        routes.add(route);
        return this;
    }

    /** Uses another source of routes and its contract instead of routes added here. */
    public RefrainFilterBuilder routes(RouteFinder others, Supplier<PublishedRouteContract> described) {
        this.finder = others;
        this.contract = described;
        return this;
    }

    /**
     * Sets the transactions for transactional routes. A handler reaches its transaction through a {@link
     * TransactionalDataSource}.
     */
    public RefrainFilterBuilder transactions(StoreTransactionFactory<Connection> given) {
        this.transactions = operation -> inTransactions(operation, given);
        return this;
    }

    /** Sets the writer of stored {@code sendError} responses; the default writes problems. */
    public RefrainFilterBuilder errorWriter(ErrorResponseWriter answer) {
        this.errorWriter = answer;
        return this;
    }

    /** Sets the paths of the contract and of the status of requests. */
    public RefrainFilterBuilder endpointPaths(ContractAndStatusPaths others) {
        this.endpointPaths = others;
        return this;
    }

    /**
     * Serves the status of keys in a further store too, at paths with its name.
     *
     * @param namespace the namespace of the keys of its routes
     */
    public RefrainFilterBuilder statusOf(String store, Refrain ofStore, String namespace) {
        otherStatuses.add(told -> new KeyStatusEndpoint(ofStore, namespace, told.ofStore(store)));
        return this;
    }

    /** Sets the memory for bodies, which several filters may share; by default a quarter of the heap for this filter. */
    public RefrainFilterBuilder bufferBudget(BufferBudget shared) {
        this.budget = shared;
        return this;
    }

    /**
     * Builds the filter.
     *
     * @throws IllegalArgumentException if the scope is not set, or the largest body of a route does not fit into the memory for bodies
     */
    public RefrainFilter build() {
        if (scopes == null) {
            throw new IllegalArgumentException(
                    "scope is not set, so callers would share keys. Set ScopeResolver.principal(), or shared() if there is only one tenant.");
        }
        var found = finder;
        var described = contract;
        var named = List.copyOf(routes);
        named.forEach(route -> budget.requireRoom(route.name(), route.policy()));
        var uncovered = new UncoveredKeyReporter(
                refrain,
                "Protect its route with this method, or let clients send no key there.",
                described == null ? () -> named : () -> described.get().routes());
        return new RefrainFilter(
                scopes,
                errorWriter,
                budget,
                endpointPaths,
                found != null && described != null
                        ? told -> new RefrainFilter.ServedRoutes(endpoints(told, described), found, uncovered)
                        : serving(named, uncovered));
    }

    private Function<ContractAndStatusPaths, RefrainFilter.ServedRoutes> serving(
            List<Route> named, UncoveredKeyReporter uncovered) {
        var transactor = transactions;
        return told -> {
            var protections = named.stream()
                    .map(route -> RouteProtection.of(refrain, route, told, transactor))
                    .toList();
            var contract = new PublishedRouteContract(named, told);
            return new RefrainFilter.ServedRoutes(
                    endpoints(told, () -> contract), RouteFinder.firstOf(protections), uncovered);
        };
    }

    private ContractAndStatusPages endpoints(ContractAndStatusPaths told, Supplier<PublishedRouteContract> described) {
        var statuses = new ArrayList<>(List.of(new KeyStatusEndpoint(refrain, RouteProtection.NAMESPACE, told)));
        otherStatuses.forEach(other -> statuses.add(other.apply(told)));
        return new ContractAndStatusPages(
                told,
                statuses,
                () -> described.get().html(),
                () -> described.get().json());
    }

    private static TransactionalRunner inTransactions(
            Operation<Outcome.Answer> operation, StoreTransactionFactory<Connection> transactions) {
        var transactional = operation.transactional(transactions);
        return new TransactionalRunner() {
            @Override
            public boolean isOverloaded(String scope) {
                return transactional.isOverloaded(scope);
            }

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
