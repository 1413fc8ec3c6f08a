package dev.refrain.spring.handler;

import dev.refrain.Refrain;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.OperationMode;
import dev.refrain.http.RequestPathVariants;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.http.contract.PublishedRouteContract;
import dev.refrain.http.edge.RefrainEndpointPaths;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.http.edge.TransactionalRunner;
import dev.refrain.http.settings.ConfiguredRoutes;
import dev.refrain.spring.Idempotent;
import dev.refrain.spring.RefrainProperties;
import dev.refrain.spring.transaction.TransactionalAnnotations;
import java.lang.reflect.Method;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.web.method.HandlerMethod;

/**
 * The handlers that are {@link Idempotent}, and the routes that are declared beside them, each with its protection. The same for
 * every web framework of Spring, which says what it has mapped. Thread-safe once that is said.
 */
public final class ProtectedHandlerRegistry {

    private static final System.Logger LOG = System.getLogger(ProtectedHandlerRegistry.class.getName());
    private static final Set<KeyRequirement> LAX = EnumSet.of(KeyRequirement.OPTIONAL, KeyRequirement.OBSERVE);

    private final Refrain refrain;
    private final HandlerPolicyFactory policies;
    private final HandlerModeResolver modes;
    private final RefrainEndpointPaths places;
    private final Optional<TransactionalRunner.Factory> transactions;
    private final ConfiguredRoutes tree;
    private final List<RouteProtection> declared;
    private final List<Route> beans;
    private volatile Map<HandlerId, RouteProtection> protections = Map.of();

    /** A method that is inherited is another handler in each controller, which has its own say about it. */
    private record HandlerId(Class<?> controller, Method method) {
        static HandlerId by(HandlerMethod handler) {
            return new HandlerId(handler.getBeanType(), handler.getMethod());
        }
    }

    /**
     * @param places where clients are told to look
     * @param transactions how transactional handlers run; empty where there are none
     */
    public ProtectedHandlerRegistry(
            Refrain refrain,
            RefrainProperties properties,
            RefrainEndpointPaths places,
            HandlerModeResolver modes,
            Optional<TransactionalRunner.Factory> transactions,
            List<Route> declared) {
        this.refrain = refrain;
        this.policies = HandlerPolicyFactory.of(properties.http());
        this.tree = ConfiguredRoutes.findCovering("refrain.routes", properties.routes(), policies.defaultPolicy());
        this.modes = modes;
        this.places = places;
        this.transactions = transactions;
        this.declared = Stream.concat(declared.stream().map(this::configured), own())
                .map(route -> RouteProtection.of(refrain, modes.requireSupported(route), places, transactions))
                .toList();
        this.beans = List.copyOf(declared);
    }

    /** A declared route, as the configuration changes it. */
    private Route configured(Route bean) {
        return tree.findCovering("the route " + bean.name(), List.of(bean))
                .map(said -> bean.with(changed(bean.name(), bean.policy(), said)))
                .orElse(bean);
    }

    /** The routes that the configuration adds: those that say how they run. */
    private Stream<Route> own() {
        return tree.all().stream().filter(said -> said.mode().isPresent()).map(ConfiguredRoutes.ConfiguredRoute::route);
    }

    /** Configuration goes before code. Where that protects less, it is not done in silence. */
    private static RoutePolicy changed(String name, RoutePolicy declared, ConfiguredRoutes.ConfiguredRoute said) {
        var policy = said.applyTo(declared);
        if (letsMorePass(policy, declared)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    said.path() + " lets requests run unprotected that " + name + " would have refused: key is "
                            + policy.key().requirement() + (policy.run().failOpen() ? ", and it fails open." : "."));
        }
        return policy;
    }

    private static boolean letsMorePass(RoutePolicy policy, RoutePolicy declared) {
        return (LAX.contains(policy.key().requirement())
                        && !LAX.contains(declared.key().requirement()))
                || (policy.run().failOpen() && !declared.run().failOpen());
    }

    /** At the start, so that what is wrong shows before the first request. */
    public void register(List<MappedHandler> all) {
        var found = new LinkedHashMap<HandlerId, RouteProtection>();
        for (var mapped : all) {
            mapped.annotation()
                    .ifPresent(annotation -> found.put(HandlerId.by(mapped.handler()), protection(mapped, annotation)));
        }
        protections = Map.copyOf(found);
        tree.all().forEach(said -> requireUse(said, all));
    }

    /**
     * For where paths are mapped in upper and lower case alike. In another case a request would come to its handler past a declared
     * route, unless that only changes what is annotated.
     */
    public void rejectCaseSensitiveRoutes(List<MappedHandler> all) {
        declared.stream()
                .map(RouteProtection::route)
                .filter(route -> !leadsToAnnotatedOnly(route, all))
                .findFirst()
                .ifPresent(route -> {
                    throw new IllegalArgumentException(
                            "The route " + route.name()
                                    + " holds for its path as it is written, but Spring is told to map paths in upper and lower case alike:"
                                    + " in another case a request would run unprotected. Make the handler @Idempotent; or let case matter.");
                });
    }

    private boolean leadsToAnnotatedOnly(Route route, List<MappedHandler> all) {
        var led = all.stream()
                .filter(mapped -> routes(mapped).stream().anyMatch(route::overlaps))
                .toList();
        return !led.isEmpty()
                && led.stream().allMatch(mapped -> mapped.annotation().isPresent());
    }

    /** What a configuration says of nothing that is there is most likely misspelt, and leaves something unprotected. */
    private void requireUse(ConfiguredRoutes.ConfiguredRoute said, List<MappedHandler> all) {
        boolean changes = Stream.concat(
                        beans.stream(),
                        all.stream()
                                .filter(mapped -> mapped.annotation().isPresent())
                                .flatMap(mapped -> routes(mapped).stream()))
                .anyMatch(said.route()::covers);
        if (!changes && said.mode().isEmpty()) {
            throw new IllegalArgumentException(
                    said.path() + " (" + said.settings().match()
                            + ") holds for nothing that is @Idempotent, and for no Route. Correct " + said.path()
                            + ".match; or, to protect what is there, set " + said.path()
                            + ".mode, which may be transactional, leased-resume, leased-hold or flow.");
        }
        boolean leadsSomewhere =
                all.stream().flatMap(mapped -> routes(mapped).stream()).anyMatch(said.route()::overlaps);
        if (!changes && !leadsSomewhere && !modes.hasUnlistedHandlers()) {
            throw new IllegalArgumentException(said.path() + ".match is '"
                    + said.settings().match() + "', but no handler is mapped there: nothing would be protected.");
        }
    }

    /** Whether a request by this method may have a protection at all. */
    public boolean mayProtect(String method) {
        return MappedHandler.isChanging(method) && !(protections.isEmpty() && declared.isEmpty());
    }

    /** The protection of an annotated handler. */
    public Optional<RouteProtection> protectionOf(HandlerMethod handler) {
        return Optional.ofNullable(protections.get(HandlerId.by(handler)));
    }

    /** The protection of an annotated handler, or else of the first declared route that matches. */
    public Optional<RouteProtection> protectionOf(HandlerMethod handler, String method, String path) {
        return protectionOf(handler).or(() -> ofRoute(method, path));
    }

    /** The protections of the routes that are declared. */
    public List<RouteProtection> declared() {
        return declared;
    }

    /** The protection of the first declared route that matches. */
    public Optional<RouteProtection> ofRoute(String method, String path) {
        var readings = RequestPathVariants.of(path);
        return declared.stream()
                .filter(protection -> protection.route().matches(method, readings))
                .findFirst();
    }

    /** What holds for a handler, if it is protected by its annotation. */
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

    static String nameOf(HandlerMethod handler) {
        return handler.getBeanType().getSimpleName() + "." + handler.getMethod().getName();
    }

    private RouteProtection protection(MappedHandler mapped, Idempotent annotation) {
        String name = nameOf(mapped.handler());
        var routes = routes(mapped);
        if (routes.isEmpty()) {
            throw new IllegalArgumentException(
                    name + " is @Idempotent but reads only; it is POST, PATCH, PUT and DELETE that need it.");
        }
        var said = tree.findCovering(name, routes);
        var asked = said.flatMap(ConfiguredRoutes.ConfiguredRoute::mode)
                .map(ProtectedHandlerRegistry::asked)
                .orElse(annotation.mode());
        var policy = policies.of(name, annotation, modes.modeOf(mapped.handler(), asked));
        var first = routes.getFirst();
        String operation = annotation.operation().isEmpty() ? first.name() : annotation.operation();
        var route = first.with(said.map(some -> changed(name, policy, some)).orElse(policy))
                .named(operation);
        return RouteProtection.of(refrain, route, places, transactions);
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
