package dev.refrain.spring.internal.handler;

import dev.refrain.http.KeptRequestRedactor;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.OperationMode;
import dev.refrain.http.RequestPathVariants;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.http.contract.PublishedRouteContract;
import dev.refrain.http.edge.BufferBudget;
import dev.refrain.http.edge.ContractAndStatusPaths;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.http.edge.TransactionalRunner;
import dev.refrain.http.internal.settings.ConfiguredRoutes;
import dev.refrain.spring.Idempotent;
import dev.refrain.spring.OperationStore;
import dev.refrain.spring.RefrainProperties;
import dev.refrain.spring.RefrainStartException;
import dev.refrain.spring.RefrainStores;
import dev.refrain.spring.internal.transaction.TransactionalAnnotations;
import java.lang.reflect.Method;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.web.method.HandlerMethod;

/**
 * Registry of all {@link Idempotent} handlers and declared routes with their protection, shared by MVC and WebFlux, which
 * register their mapped handlers. Thread-safe once the handlers are registered.
 */
public final class ProtectedHandlerRegistry {

    private static final System.Logger LOG = System.getLogger(ProtectedHandlerRegistry.class.getName());
    private static final Set<KeyRequirement> LAX = EnumSet.of(KeyRequirement.OPTIONAL, KeyRequirement.OBSERVE);

    private final RefrainStores stores;
    private final HandlerPolicyFactory policies;
    private final HandlerModeResolver modes;
    private final ContractAndStatusPaths places;
    private final Function<OperationStore, Optional<TransactionalRunner.Factory>> transactions;
    private final BufferBudget budget;
    private final ConfiguredRoutes tree;
    private final List<RouteProtection> declared;
    private final List<Route> beans;
    private final Map<Route, String> storesOfRoutes = new ConcurrentHashMap<>();
    private volatile Map<HandlerId, RouteProtection> protections = Map.of();

    /** Identity of a handler: an inherited method is a separate handler, with its own annotation, in each controller. */
    private record HandlerId(Class<?> controller, Method method) {
        static HandlerId by(HandlerMethod handler) {
            return new HandlerId(handler.getBeanType(), handler.getMethod());
        }
    }

    /**
     * Creates the registry.
     *
     * @param places paths of the contract and of the status of requests
     * @param transactions finds what runs transactional handlers on a store; empty where there are none
     * @param budget the memory into which the largest bodies of every route must fit
     * @param redactor removes from every request what must not be kept
     */
    public ProtectedHandlerRegistry(
            RefrainStores stores,
            RefrainProperties properties,
            ContractAndStatusPaths places,
            HandlerModeResolver modes,
            Function<OperationStore, Optional<TransactionalRunner.Factory>> transactions,
            BufferBudget budget,
            List<Route> declared,
            KeptRequestRedactor redactor) {
        this.stores = stores;
        this.policies = HandlerPolicyFactory.of(properties.http(), redactor);
        this.tree = configuredRoutes(properties, policies);
        this.modes = modes;
        this.places = places;
        this.transactions = transactions;
        this.budget = budget;
        this.declared = RefrainStartException.explain(() -> Stream.concat(
                        declared.stream().map(policies::withDemandsOnAll).map(this::configured), own())
                .toList());
        this.beans = List.copyOf(declared);
    }

    /**
     * Requires that the settings of handlers and routes can be read.
     *
     * @throws RefrainStartException if one of them cannot
     */
    public static void requireReadable(RefrainProperties properties) {
        configuredRoutes(properties, HandlerPolicyFactory.of(properties.http(), KeptRequestRedactor.NONE));
    }

    private static ConfiguredRoutes configuredRoutes(RefrainProperties properties, HandlerPolicyFactory policies) {
        return RefrainStartException.explain(
                () -> ConfiguredRoutes.findCovering("refrain.routes", properties.routes(), policies.defaultPolicy()));
    }

    /** Applies the configuration to a declared route. */
    private RouteProtection configured(Route bean) {
        var said = tree.findCovering("the route " + bean.name(), List.of(bean));
        return declared(
                "The route " + bean.name(),
                said.map(some -> bean.with(changed(bean.name(), bean.policy(), some)))
                        .orElse(bean),
                said.flatMap(ConfiguredRoutes.ConfiguredRoute::store));
    }

    /** Returns the routes that the configuration adds: those with a mode of their own. */
    private Stream<RouteProtection> own() {
        return tree.all().stream()
                .filter(said -> said.mode().isPresent())
                .map(said -> declared(said.path(), said.route(), said.store()));
    }

    private RouteProtection declared(String place, Route route, Optional<String> named) {
        var store = store(named.orElse(""), place);
        HandlerModeResolver.requireFlowsOfDefaultStore(
                place, route.policy().run().mode() instanceof OperationMode.Flow, store.store());
        return protection(place, modes.requireSupported(route), store);
    }

    private HandlerStore store(String name, String place) {
        var store = stores.require(name, place);
        return new HandlerStore(store, transactions.apply(store));
    }

    /** Applies configuration, which takes precedence over code, and logs a warning where it protects less. */
    private static RoutePolicy changed(String name, RoutePolicy declared, ConfiguredRoutes.ConfiguredRoute said) {
        var policy = said.applyTo(declared);
        if (letsMorePass(policy, declared)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    said.path() + " lets requests run unprotected that " + name + " would have rejected: key is "
                            + policy.key().requirement() + (policy.run().failOpen() ? ", and it fails open." : "."));
        }
        if (declared.run().requireCorrectStore() && !policy.run().requireCorrectStore()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    said.path() + ".require-correct-store is false: " + name
                            + " runs on any store, although its code demands a correct one.");
        }
        return policy;
    }

    private static boolean letsMorePass(RoutePolicy policy, RoutePolicy declared) {
        return (LAX.contains(policy.key().requirement())
                        && !LAX.contains(declared.key().requirement()))
                || (policy.run().failOpen() && !declared.run().failOpen());
    }

    /** Registers the mapped handlers at startup, so that errors show before the first request. */
    public void register(List<MappedHandler> all) {
        var found = new LinkedHashMap<HandlerId, RouteProtection>();
        for (var mapped : all) {
            mapped.annotation()
                    .ifPresent(annotation -> found.put(
                            HandlerId.by(mapped.handler()),
                            RefrainStartException.explain(() -> protection(mapped, annotation))));
        }
        protections = Map.copyOf(found);
        tree.all().forEach(said -> requireUse(said, all));
        declared.stream()
                .map(RouteProtection::route)
                .filter(ProtectedHandlerRegistry::isTransactional)
                .forEach(route -> requireJoining(route, all));
        OwnHandlerCallWarning.log(all, this::isBehindRoute);
    }

    private boolean isBehindRoute(MappedHandler mapped) {
        var routes = routes(mapped);
        return !routes.isEmpty()
                && routes.stream()
                        .allMatch(route -> declared.stream()
                                .anyMatch(protection -> protection.route().overlaps(route)));
    }

    /** Requires of the handlers behind a transactional route what an annotated handler must do too. */
    private void requireJoining(Route route, List<MappedHandler> all) {
        all.stream()
                .filter(mapped -> mapped.annotation().isEmpty())
                .filter(mapped -> routes(mapped).stream().anyMatch(route::overlaps))
                .map(MappedHandler::handler)
                .forEach(handler -> RefrainStartException.explain(() -> {
                    var store = store(storeOf(route), "The route " + route.name());
                    modes.requireJoining(handler, store.store());
                    store.transactions()
                            .filter(HandlerTransactions.class::isInstance)
                            .map(HandlerTransactions.class::cast)
                            .ifPresent(each -> each.requireDefaults(
                                    route.name(), nameOf(handler), handler.getMethod(), handler.getBeanType()));
                    return route;
                }));
    }

    private static boolean isTransactional(Route route) {
        return route.policy().run().mode() instanceof OperationMode.Transactional;
    }

    /**
     * Rejects declared routes where Spring maps paths case-insensitively: a request in another case would bypass the route and
     * reach its handler unprotected. Routes that only change annotated handlers are allowed.
     */
    public void rejectCaseSensitiveRoutes(List<MappedHandler> all) {
        declared.stream()
                .map(RouteProtection::route)
                .filter(route -> !leadsToAnnotatedOnly(route, all))
                .findFirst()
                .ifPresent(route -> {
                    throw new RefrainStartException(
                            "The route " + route.name()
                                    + " matches its path case-sensitively, but Spring is configured to map paths case-insensitively:"
                                    + " a request in another case would run unprotected.",
                            "Make the handler @Idempotent, or map paths case-sensitively.");
                });
    }

    private boolean leadsToAnnotatedOnly(Route route, List<MappedHandler> all) {
        var led = all.stream()
                .filter(mapped -> routes(mapped).stream().anyMatch(route::overlaps))
                .toList();
        return !led.isEmpty()
                && led.stream().allMatch(mapped -> mapped.annotation().isPresent());
    }

    /** Rejects a configured route that affects nothing: it is most likely misspelt and leaves something unprotected. */
    private void requireUse(ConfiguredRoutes.ConfiguredRoute said, List<MappedHandler> all) {
        boolean changes = Stream.concat(
                        beans.stream(),
                        all.stream()
                                .filter(mapped -> mapped.annotation().isPresent())
                                .flatMap(mapped -> routes(mapped).stream()))
                .anyMatch(said.route()::covers);
        if (!changes && said.mode().isEmpty()) {
            throw new RefrainStartException(
                    said.path() + " (" + said.settings().match()
                            + ") matches no @Idempotent handler and no Route bean.",
                    "Correct " + said.path()
                            + ".match; or, to protect a handler that is neither, set " + said.path()
                            + ".mode to transactional, leased-resume, leased-hold or flow.");
        }
        boolean leadsSomewhere =
                all.stream().flatMap(mapped -> routes(mapped).stream()).anyMatch(said.route()::overlaps);
        if (!changes && !leadsSomewhere && !modes.hasUnlistedHandlers()) {
            throw new RefrainStartException(
                    said.path() + ".match is '" + said.settings().match()
                            + "', but no handler is mapped there, so nothing would be protected.",
                    "Correct the path.");
        }
    }

    /** Returns true if requests with this method may be protected at all. */
    public boolean mayProtect(String method) {
        return MappedHandler.isChanging(method) && !(protections.isEmpty() && declared.isEmpty());
    }

    /** Returns the protection of an annotated handler. */
    public Optional<RouteProtection> protectionOf(HandlerMethod handler) {
        return Optional.ofNullable(protections.get(HandlerId.by(handler)));
    }

    /** Returns the protection of an annotated handler, or else of the first declared route that matches. */
    public Optional<RouteProtection> protectionOf(HandlerMethod handler, String method, String path) {
        return protectionOf(handler).or(() -> ofRoute(method, path));
    }

    /** Returns the protections of all declared routes. */
    public List<RouteProtection> declared() {
        return declared;
    }

    /** Returns the protection of the first declared route that matches. */
    public Optional<RouteProtection> ofRoute(String method, String path) {
        var readings = RequestPathVariants.of(path);
        return declared.stream()
                .filter(protection -> protection.route().matches(method, readings))
                .findFirst();
    }

    /** Returns the policy of a handler that is protected by its annotation. */
    public Optional<RoutePolicy> policyOf(HandlerMethod handler) {
        return protectionOf(handler).map(RouteProtection::policy);
    }

    public PublishedRouteContract contract() {
        return new PublishedRouteContract(
                Stream.concat(protections.values().stream(), declared.stream())
                        .map(RouteProtection::route)
                        .toList(),
                places);
    }

    /** Returns the name of the store that holds the keys of a route; empty for the default store. */
    public String storeOf(Route route) {
        return storesOfRoutes.getOrDefault(route, "");
    }

    static String nameOf(HandlerMethod handler) {
        return handler.getBeanType().getSimpleName() + "." + handler.getMethod().getName();
    }

    private RouteProtection protection(MappedHandler mapped, Idempotent annotation) {
        String name = nameOf(mapped.handler());
        var routes = routes(mapped);
        if (routes.isEmpty()) {
            throw new RefrainStartException(
                    name + " is @Idempotent but reads only.",
                    "Remove the annotation; only POST, PATCH, PUT and DELETE need it.");
        }
        if (!annotation.key().isEmpty() || !annotation.scope().isEmpty()) {
            throw new RefrainStartException(
                    name
                            + " is an HTTP handler, and its @Idempotent sets key or scope, which are for methods of other beans.",
                    "Remove them: the key of a request is in its header (refrain.http.key-sources), and its scope is that of refrain.scope or of a"
                            + " ScopeResolver bean.");
        }
        var said = tree.findCovering(name, routes);
        var asked = said.flatMap(ConfiguredRoutes.ConfiguredRoute::mode)
                .map(ProtectedHandlerRegistry::asked)
                .orElse(annotation.mode());
        var store = store(said.flatMap(ConfiguredRoutes.ConfiguredRoute::store).orElse(annotation.store()), name);
        var policy = policies.of(name, annotation, modes.modeOf(mapped.handler(), asked, store));
        var first = routes.getFirst();
        String operation = annotation.operation().isEmpty() ? first.name() : annotation.operation();
        var route = first.with(said.map(some -> changed(name, policy, some)).orElse(policy))
                .named(operation);
        return protection(name, route, inTransactionsOf(mapped.handler(), name, route, store));
    }

    private RouteProtection protection(String place, Route route, HandlerStore store) {
        budget.requireRoom(route.name(), route.policy());
        var keys = store.store();
        requireTransactions(place, route, store);
        stores.requireOneStore(keys.httpNamespace(), keys, place);
        storesOfRoutes.put(route, keys.name());
        return RouteProtection.of(
                keys.refrain(),
                keys.httpNamespace(),
                route,
                places.ofStore(keys.name()),
                store.transactions().orElse(null));
    }

    /** Refuses transactional work on a named store whose database has no transactions of Spring. */
    private static void requireTransactions(String place, Route route, HandlerStore store) {
        if (isTransactional(route)
                && !store.store().isDefault()
                && store.transactions().isEmpty()) {
            throw new RefrainStartException(
                    place + " is transactional, but no transaction manager manages the DataSource of "
                            + store.store().inWords() + ": work and key would commit separately.",
                    "Configure one for that DataSource and name it in @Transactional, or make the mode leased.");
        }
    }

    private static HandlerStore inTransactionsOf(HandlerMethod handler, String name, Route route, HandlerStore store) {
        return isTransactional(route) && store.transactions().orElse(null) instanceof HandlerTransactions each
                ? new HandlerStore(
                        store.store(), Optional.of(each.forHandler(name, handler.getMethod(), handler.getBeanType())))
                : store;
    }

    private static Idempotent.Mode asked(OperationMode configured) {
        return switch (configured) {
            case OperationMode.Transactional transactional -> Idempotent.Mode.TRANSACTIONAL;
            case OperationMode.Flow flow -> Idempotent.Mode.FLOW;
            case OperationMode.Leased leased ->
                switch (leased.takeOver()) {
                    case RESUME -> Idempotent.Mode.LEASED_RESUME;
                    case HOLD -> Idempotent.Mode.LEASED_HOLD;
                };
        };
    }

    private List<Route> routes(MappedHandler mapped) {
        return mapped.routes(policies.defaultPolicy());
    }

    static boolean isTransactional(HandlerMethod handler) {
        return TransactionalAnnotations.find(handler.getMethod(), handler.getBeanType())
                .isPresent();
    }
}
