package dev.refrain.http.servlet;

import dev.refrain.Call;
import dev.refrain.Operation;
import dev.refrain.Refrain;
import dev.refrain.http.Places;
import dev.refrain.http.Protection;
import dev.refrain.http.StatusResource;
import dev.refrain.http.Transactor;
import dev.refrain.http.contract.PublishedContract;
import dev.refrain.http.policy.Policy;
import dev.refrain.http.policy.Route;
import dev.refrain.outcome.Outcome;
import dev.refrain.run.RunResult;
import dev.refrain.store.Transactions;
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
    private Optional<Transactor.Maker> transactions = Optional.empty();
    private ErrorAnswer errorWriter = ErrorAnswer.problem();
    private Places endpointPaths = Places.DEFAULT;
    private @Nullable RouteFinder finder;
    private @Nullable Supplier<PublishedContract> contract;

    RefrainFilterBuilder(Refrain refrain) {
        this.refrain = refrain;
    }

    /** Whose keys a request uses. There is no default: keys of different callers must not meet. */
    public RefrainFilterBuilder scope(ScopeResolver resolver) {
        this.scopes = resolver;
        return this;
    }

    /** Such as {@code POST /payments/{id}/capture}. The first route that matches holds. */
    public RefrainFilterBuilder route(String methodsAndPath, Policy policy) {
        return route(Route.of(methodsAndPath, policy));
    }

    public RefrainFilterBuilder route(Route route) {
        routes.add(route);
        return this;
    }

    /** Routes that something else finds and describes, instead of those named here. */
    public RefrainFilterBuilder routes(RouteFinder others, Supplier<PublishedContract> described) {
        this.finder = others;
        this.contract = described;
        return this;
    }

    /**
     * The transactions that transactional routes run in. The handler reaches its own through a {@link
     * TransactionalDataSource}.
     */
    public RefrainFilterBuilder transactions(Transactions<Connection> given) {
        this.transactions = Optional.of(operation -> inTransactions(operation, given));
        return this;
    }

    /** How answers given by {@code sendError} are written where they are kept; by default as a problem. */
    public RefrainFilterBuilder errorWriter(ErrorAnswer answer) {
        this.errorWriter = answer;
        return this;
    }

    /** Where the contract and the status of requests are served. */
    public RefrainFilterBuilder endpointPaths(Places others) {
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
                        ? told -> new RefrainFilter.Served(told, found, new StatusResource(refrain, told), described)
                        : serving(List.copyOf(routes)));
    }

    private Function<Places, RefrainFilter.Served> serving(List<Route> named) {
        var transactor = transactions;
        return told -> {
            var protections = named.stream()
                    .map(route -> Protection.of(refrain, route, told, transactor))
                    .toList();
            var contract = new PublishedContract(named, told);
            return new RefrainFilter.Served(
                    told, RouteFinder.firstOf(protections), new StatusResource(refrain, told), () -> contract);
        };
    }

    private static Transactor inTransactions(
            Operation<Outcome.Answer> operation, Transactions<Connection> transactions) {
        var transactional = operation.transactional(transactions);
        return new Transactor() {
            @Override
            public <X extends Exception> RunResult attempt(Call call, Handler<X> handler) throws X {
                return transactional.runForResult(call, (claim, connection) -> {
                    try (var bound = BoundConnection.bind(connection)) {
                        return handler.run(claim);
                    }
                });
            }
        };
    }
}
