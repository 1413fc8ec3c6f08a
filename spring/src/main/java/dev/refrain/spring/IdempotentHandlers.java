package dev.refrain.spring;

import dev.refrain.Refrain;
import dev.refrain.http.Places;
import dev.refrain.http.Protection;
import dev.refrain.http.Transactor;
import dev.refrain.http.contract.PublishedContract;
import dev.refrain.http.policy.Mode;
import dev.refrain.http.policy.PathPattern;
import dev.refrain.http.policy.Route;
import dev.refrain.http.servlet.RouteFinder;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * The handlers that are {@link Idempotent}, found at the start. A request is matched to its handler before anything is claimed: what
 * Spring itself refuses (404, 405, 406, 415) consumes no key.
 */
final class IdempotentHandlers implements RouteFinder, SmartInitializingSingleton {

    private static final Set<String> CHANGING = Set.of("POST", "PATCH", "PUT", "DELETE");

    private final Refrain refrain;
    private final Policies policies;
    private final Places places;
    private final Optional<Transactor.Maker> transactions;
    private final List<Protection> declared;
    private final Supplier<List<RequestMappingHandlerMapping>> mappings;
    private final BeanFactory beans;
    private Map<Method, Protection> protections = Map.of();

    IdempotentHandlers(
            Refrain refrain,
            Policies policies,
            Places places,
            Optional<Transactor.Maker> transactions,
            List<Route> declared,
            Supplier<List<RequestMappingHandlerMapping>> mappings,
            BeanFactory beans) {
        this.refrain = refrain;
        this.policies = policies;
        this.places = places;
        this.transactions = transactions;
        this.declared = declared.stream()
                .map(route -> Protection.of(refrain, route, places, transactions))
                .toList();
        this.mappings = mappings;
        this.beans = beans;
    }

    /** At the start, so that what is wrong shows before the first request. */
    @Override
    public void afterSingletonsInstantiated() {
        var found = new LinkedHashMap<Method, Protection>();
        for (var mapping : mappings.get()) {
            mapping.getHandlerMethods().forEach((info, handler) -> {
                var annotation = annotation(handler);
                if (annotation != null) {
                    found.put(handler.getMethod(), protection(info, handler, annotation));
                }
            });
        }
        protections = Map.copyOf(found);
    }

    private static @Nullable Idempotent annotation(HandlerMethod handler) {
        var own = AnnotatedElementUtils.findMergedAnnotation(handler.getMethod(), Idempotent.class);
        return own != null ? own : AnnotatedElementUtils.findMergedAnnotation(handler.getBeanType(), Idempotent.class);
    }

    private Protection protection(RequestMappingInfo info, HandlerMethod handler, Idempotent annotation) {
        String name = handler.getBeanType().getSimpleName() + "."
                + handler.getMethod().getName();
        boolean inTransaction = transactions.isPresent() && isTransactional(handler);
        var methods = methods(info);
        if (methods.isEmpty()) {
            throw new IllegalArgumentException(
                    name + " is @Idempotent but reads only; it is POST, PATCH, PUT and DELETE that need it.");
        }
        var path = PathPattern.of(paths(info).getFirst());
        var policy = policies.of(name, annotation, inTransaction);
        if (policy.run().mode() instanceof Mode.Transactional) {
            TransactionMarks.requireJoining(name, handler.getMethod(), handler.getBeanType(), beans);
        }
        String operation =
                annotation.operation().isEmpty() ? String.join(",", methods) + " " + path : annotation.operation();
        return Protection.of(refrain, new Route(operation, methods, path, policy), places, transactions);
    }

    private static boolean isTransactional(HandlerMethod handler) {
        return TransactionMarks.find(handler.getMethod(), handler.getBeanType()).isPresent();
    }

    private static Set<String> methods(RequestMappingInfo info) {
        var named = info.getMethodsCondition().getMethods().stream()
                .map(RequestMethod::name)
                .collect(Collectors.toCollection(TreeSet::new));
        if (named.isEmpty()) {
            return Set.of("POST", "PATCH");
        }
        named.retainAll(CHANGING);
        return named;
    }

    /** Spring's patterns are richer than ours, which here only name the route for people. */
    private static List<String> paths(RequestMappingInfo info) {
        var paths = new ArrayList<String>();
        for (String pattern : info.getPatternValues()) {
            String path = pattern.isEmpty() ? "/" : pattern.startsWith("/") ? pattern : "/" + pattern;
            paths.add(path.replaceAll("\\{([^:{}]+):[^/]*}", "{$1}").replaceAll("\\{\\*([^{}]+)}", "**"));
        }
        return paths;
    }

    /** Whether a request to this handler has to be protected. */
    boolean isProtected(String method, HandlerMethod handler) {
        return CHANGING.contains(method) && protections.containsKey(handler.getMethod());
    }

    @Override
    public Optional<Protection> find(HttpServletRequest request) {
        if (!CHANGING.contains(request.getMethod()) || (protections.isEmpty() && declared.isEmpty())) {
            return Optional.empty();
        }
        var handler = handler(request);
        if (handler == null) {
            return Optional.empty();
        }
        return Optional.ofNullable(protections.get(handler.getMethod()))
                .or(() -> RouteFinder.firstOf(declared).find(request));
    }

    /** What Spring will refuse has no handler here either. */
    private @Nullable HandlerMethod handler(HttpServletRequest request) {
        boolean parsed = ServletRequestPathUtils.hasParsedRequestPath(request);
        try {
            if (!parsed) {
                ServletRequestPathUtils.parseAndCache(request);
            }
            for (var mapping : mappings.get()) {
                var chain = mapping.getHandler(request);
                if (chain != null) {
                    return chain.getHandler() instanceof HandlerMethod method ? method : null;
                }
            }
            return null;
        } catch (Exception refused) {
            return null;
        } finally {
            if (!parsed) {
                ServletRequestPathUtils.clearParsedRequestPath(request);
            }
        }
    }

    PublishedContract contract() {
        return new PublishedContract(
                Stream.concat(protections.values().stream(), declared.stream())
                        .map(Protection::route)
                        .toList(),
                places);
    }
}
