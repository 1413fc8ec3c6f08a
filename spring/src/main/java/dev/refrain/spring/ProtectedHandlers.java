package dev.refrain.spring;

import dev.refrain.Refrain;
import dev.refrain.http.Places;
import dev.refrain.http.Protection;
import dev.refrain.http.Transactor;
import dev.refrain.http.contract.PublishedContract;
import dev.refrain.http.policy.PathPattern;
import dev.refrain.http.policy.PathReadings;
import dev.refrain.http.policy.Policy;
import dev.refrain.http.policy.Route;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;

/**
 * The handlers that are {@link Idempotent}, and the routes that are declared beside them, each with its protection. The same for
 * every web framework of Spring, which says what it has mapped. Thread-safe once that is said.
 */
public final class ProtectedHandlers {

    private static final Set<String> CHANGING = Set.of("POST", "PATCH", "PUT", "DELETE");

    private final Refrain refrain;
    private final Policies policies;
    private final HandlerModes modes;
    private final Places places;
    private final Optional<Transactor.Maker> transactions;
    private final List<Protection> declared;
    private volatile Map<Method, Protection> protections = Map.of();

    /** A handler, and what of HTTP is mapped to it. */
    public record Mapped(HandlerMethod handler, Set<RequestMethod> methods, Set<String> patterns) {}

    /**
     * @param places where clients are told to look
     * @param transactions how transactional handlers run; empty where there are none
     */
    public ProtectedHandlers(
            Refrain refrain,
            RefrainProperties.Http defaults,
            Places places,
            HandlerModes modes,
            Optional<Transactor.Maker> transactions,
            List<Route> declared) {
        this.refrain = refrain;
        this.policies = Policies.of(defaults);
        this.modes = modes;
        this.places = places;
        this.transactions = transactions;
        this.declared = declared.stream()
                .map(route -> Protection.of(refrain, modes.checked(route), places, transactions))
                .toList();
    }

    /** At the start, so that what is wrong shows before the first request. */
    public void choose(List<Mapped> all) {
        var found = new LinkedHashMap<Method, Protection>();
        for (var mapped : all) {
            var annotation = annotation(mapped.handler());
            if (annotation != null) {
                found.put(mapped.handler().getMethod(), protection(mapped, annotation));
            }
        }
        protections = Map.copyOf(found);
    }

    /** Whether a request by this method may have a protection at all. */
    public boolean mayProtect(String method) {
        return CHANGING.contains(method) && !(protections.isEmpty() && declared.isEmpty());
    }

    /** The protection of an annotated handler. */
    public Optional<Protection> of(HandlerMethod handler) {
        return Optional.ofNullable(protections.get(handler.getMethod()));
    }

    /** The protection of an annotated handler, or else of the first declared route that matches. */
    public Optional<Protection> of(HandlerMethod handler, String method, String path) {
        return of(handler).or(() -> ofRoute(method, path));
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
        return of(handler).map(Protection::policy);
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

    private static @Nullable Idempotent annotation(HandlerMethod handler) {
        var own = AnnotatedElementUtils.findMergedAnnotation(handler.getMethod(), Idempotent.class);
        return own != null ? own : AnnotatedElementUtils.findMergedAnnotation(handler.getBeanType(), Idempotent.class);
    }

    private Protection protection(Mapped mapped, Idempotent annotation) {
        String name = nameOf(mapped.handler());
        var methods = changing(mapped.methods());
        if (methods.isEmpty()) {
            throw new IllegalArgumentException(
                    name + " is @Idempotent but reads only; it is POST, PATCH, PUT and DELETE that need it.");
        }
        var path = PathPattern.of(paths(mapped.patterns()).getFirst());
        var policy = policies.of(name, annotation, modes.of(mapped.handler(), annotation.mode()));
        String operation =
                annotation.operation().isEmpty() ? String.join(",", methods) + " " + path : annotation.operation();
        return Protection.of(refrain, new Route(operation, methods, path, policy), places, transactions);
    }

    static boolean isTransactional(HandlerMethod handler) {
        return TransactionMarks.find(handler.getMethod(), handler.getBeanType()).isPresent();
    }

    private static Set<String> changing(Set<RequestMethod> methods) {
        var named = methods.stream().map(RequestMethod::name).collect(Collectors.toCollection(TreeSet::new));
        if (named.isEmpty()) {
            return Set.of("POST", "PATCH");
        }
        named.retainAll(CHANGING);
        return named;
    }

    /** Spring's patterns are richer than ours, which here only name the route for people. */
    private static List<String> paths(Set<String> patterns) {
        var paths = new ArrayList<String>();
        for (String pattern : patterns) {
            String path = pattern.isEmpty() ? "/" : pattern.startsWith("/") ? pattern : "/" + pattern;
            paths.add(path.replaceAll("\\{([^:{}]+):[^/]*}", "{$1}").replaceAll("\\{\\*([^{}]+)}", "**"));
        }
        return paths;
    }
}
