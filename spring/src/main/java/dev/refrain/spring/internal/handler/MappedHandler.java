package dev.refrain.spring.internal.handler;

import dev.refrain.http.Route;
import dev.refrain.http.RoutePathPattern;
import dev.refrain.http.RoutePolicy;
import dev.refrain.spring.Idempotent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;

/** A handler with the methods and path patterns mapped to it. Immutable. */
public record MappedHandler(HandlerMethod handler, Set<RequestMethod> methods, Set<String> patterns) {

    private static final Set<String> CHANGING = Set.of("POST", "PATCH", "PUT", "DELETE");

    /** Returns true if requests with this method, in whatever case it is written, may change something. */
    static boolean isChanging(String method) {
        return CHANGING.contains(method.toUpperCase(Locale.ROOT));
    }

    Optional<Idempotent> annotation() {
        return Optional.ofNullable(AnnotatedElementUtils.findMergedAnnotation(handler.getMethod(), Idempotent.class))
                .or(() -> Optional.ofNullable(
                        AnnotatedElementUtils.findMergedAnnotation(handler.getBeanType(), Idempotent.class)));
    }

    /** Returns the routes to the handler, one per path; none if it only reads. */
    List<Route> routes(RoutePolicy policy) {
        var changing = changing();
        return changing.isEmpty()
                ? List.of()
                : paths().stream()
                        .map(path -> new Route(
                                String.join(",", changing) + " " + path, changing, RoutePathPattern.of(path), policy))
                        .toList();
    }

    private Set<String> changing() {
        var named = methods.stream().map(RequestMethod::name).collect(Collectors.toCollection(TreeSet::new));
        if (named.isEmpty()) {
            return Set.of("POST", "PATCH");
        }
        named.retainAll(CHANGING);
        return named;
    }

    /** Returns the path patterns in our simpler syntax; they only name the route for people. */
    private List<String> paths() {
        var paths = new ArrayList<String>();
        for (String pattern : patterns) {
            String path = pattern.isEmpty() ? "/" : pattern.startsWith("/") ? pattern : "/" + pattern;
            paths.add(path.replaceAll("\\{([^:{}]+):[^/]*}", "{$1}").replaceAll("\\{\\*([^{}]+)}", "**"));
        }
        return paths;
    }
}
