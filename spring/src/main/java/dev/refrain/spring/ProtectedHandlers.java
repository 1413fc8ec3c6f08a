package dev.refrain.spring;

import dev.refrain.Refrain;
import dev.refrain.http.Places;
import dev.refrain.http.Protection;
import dev.refrain.http.Transactor;
import dev.refrain.http.contract.PublishedContract;
import dev.refrain.http.policy.Mode;
import dev.refrain.http.policy.PathReadings;
import dev.refrain.http.policy.Policy;
import dev.refrain.http.policy.Requirement;
import dev.refrain.http.policy.Route;
import dev.refrain.http.settings.RouteTree;
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
public final class ProtectedHandlers {

    private static final System.Logger LOG = System.getLogger(ProtectedHandlers.class.getName());
    private static final Set<Requirement> LAX = EnumSet.of(Requirement.OPTIONAL, Requirement.OBSERVE);

    private final Refrain refrain;
    private final Policies policies;
    private final HandlerModes modes;
    private final Places places;
    private final Optional<Transactor.Maker> transactions;
    private final RouteTree tree;
    private final List<Protection> declared;
    private final List<Route> beans;
    private volatile Map<Handled, Protection> protections = Map.of();

    /** A method that is inherited is another handler in each controller, which has its own say about it. */
    private record Handled(Class<?> controller, Method method) {
        static Handled by(HandlerMethod handler) {
            return new Handled(handler.getBeanType(), handler.getMethod());
        }
    }

    /**
     * @param places where clients are told to look
     * @param transactions how transactional handlers run; empty where there are none
     */
    public ProtectedHandlers(
            Refrain refrain,
            RefrainProperties properties,
            Places places,
            HandlerModes modes,
            Optional<Transactor.Maker> transactions,
            List<Route> declared) {
        this.refrain = refrain;
        this.policies = Policies.of(properties.http());
        this.tree = RouteTree.findCovering("refrain.routes", properties.routes(), policies.defaultPolicy());
        this.modes = modes;
        this.places = places;
        this.transactions = transactions;
        this.declared = Stream.concat(declared.stream().map(this::configured), own())
                .map(route -> Protection.of(refrain, modes.requireSupported(route), places, transactions))
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
        return tree.all().stream().filter(said -> said.mode().isPresent()).map(RouteTree.Said::route);
    }

    /** Configuration goes before code. Where that protects less, it is not done in silence. */
    private static Policy changed(String name, Policy declared, RouteTree.Said said) {
        var policy = said.applyTo(declared);
        if (letsMorePass(policy, declared)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    said.path() + " lets requests run unprotected that " + name + " would have refused: key is "
                            + policy.key().requirement() + (policy.run().failOpen() ? ", and it fails open." : "."));
        }
        return policy;
    }

    private static boolean letsMorePass(Policy policy, Policy declared) {
        return (LAX.contains(policy.key().requirement())
                        && !LAX.contains(declared.key().requirement()))
                || (policy.run().failOpen() && !declared.run().failOpen());
    }

    /** At the start, so that what is wrong shows before the first request. */
    public void register(List<Mapped> all) {
        var found = new LinkedHashMap<Handled, Protection>();
        for (var mapped : all) {
            mapped.annotation()
                    .ifPresent(annotation -> found.put(Handled.by(mapped.handler()), protection(mapped, annotation)));
        }
        protections = Map.copyOf(found);
        tree.all().forEach(said -> requireUse(said, all));
    }

    /**
     * For where paths are mapped in upper and lower case alike. In another case a request would come to its handler past a declared
     * route, unless that only changes what is annotated.
     */
    public void rejectCaseSensitiveRoutes(List<Mapped> all) {
        declared.stream()
                .map(Protection::route)
                .filter(route -> !leadsToAnnotatedOnly(route, all))
                .findFirst()
                .ifPresent(route -> {
                    throw new IllegalArgumentException(
                            "The route " + route.name()
                                    + " holds for its path as it is written, but Spring is told to map paths in upper and lower case alike:"
                                    + " in another case a request would run unprotected. Make the handler @Idempotent; or let case matter.");
                });
    }

    private boolean leadsToAnnotatedOnly(Route route, List<Mapped> all) {
        var led = all.stream()
                .filter(mapped -> routes(mapped).stream().anyMatch(route::overlaps))
                .toList();
        return !led.isEmpty()
                && led.stream().allMatch(mapped -> mapped.annotation().isPresent());
    }

    /** What a configuration says of nothing that is there is most likely misspelt, and leaves something unprotected. */
    private void requireUse(RouteTree.Said said, List<Mapped> all) {
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
        return Mapped.isChanging(method) && !(protections.isEmpty() && declared.isEmpty());
    }

    /** The protection of an annotated handler. */
    public Optional<Protection> protectionOf(HandlerMethod handler) {
        return Optional.ofNullable(protections.get(Handled.by(handler)));
    }

    /** The protection of an annotated handler, or else of the first declared route that matches. */
    public Optional<Protection> protectionOf(HandlerMethod handler, String method, String path) {
        return protectionOf(handler).or(() -> ofRoute(method, path));
    }

    /** The protections of the routes that are declared. */
    List<Protection> declared() {
        return declared;
    }

    /** The protection of the first declared route that matches. */
    public Optional<Protection> ofRoute(String method, String path) {
        var readings = PathReadings.of(path);
        return declared.stream()
                .filter(protection -> protection.route().matches(method, readings))
                .findFirst();
    }

    /** What holds for a handler, if it is protected by its annotation. */
    Optional<Policy> policyOf(HandlerMethod handler) {
        return protectionOf(handler).map(Protection::policy);
    }

    public PublishedContract contract() {
        return new PublishedContract(
                Stream.concat(protections.values().stream(), declared.stream())
                        .map(Protection::route)
                        .toList(),
                places);
    }

    static String nameOf(HandlerMethod handler) {
        return handler.getBeanType().getSimpleName() + "." + handler.getMethod().getName();
    }

    private Protection protection(Mapped mapped, Idempotent annotation) {
        String name = nameOf(mapped.handler());
        var routes = routes(mapped);
        if (routes.isEmpty()) {
            throw new IllegalArgumentException(
                    name + " is @Idempotent but reads only; it is POST, PATCH, PUT and DELETE that need it.");
        }
        var said = tree.findCovering(name, routes);
        var asked =
                said.flatMap(RouteTree.Said::mode).map(ProtectedHandlers::asked).orElse(annotation.mode());
        var policy = policies.of(name, annotation, modes.modeOf(mapped.handler(), asked));
        var first = routes.getFirst();
        String operation = annotation.operation().isEmpty() ? first.name() : annotation.operation();
        var route = first.with(said.map(some -> changed(name, policy, some)).orElse(policy))
                .named(operation);
        return Protection.of(refrain, route, places, transactions);
    }

    private static Idempotent.Mode asked(Mode configured) {
        return switch (configured) {
            case Mode.Transactional transactional -> Idempotent.Mode.TRANSACTIONAL;
            case Mode.Flow flow -> Idempotent.Mode.FLOW;
            case Mode.Leased leased ->
                switch (leased.takeOver()) {
                    case RESUME -> Idempotent.Mode.LEASED_RESUME;
                    case HOLD -> Idempotent.Mode.LEASED_HOLD;
                };
        };
    }

    private List<Route> routes(Mapped mapped) {
        return mapped.routes(policies.defaultPolicy());
    }

    static boolean isTransactional(HandlerMethod handler) {
        return TransactionMarks.find(handler.getMethod(), handler.getBeanType()).isPresent();
    }
}
