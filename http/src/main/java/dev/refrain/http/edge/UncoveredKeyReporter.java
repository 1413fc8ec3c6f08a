package dev.refrain.http.edge;

import dev.refrain.Refrain;
import dev.refrain.http.KeySource;
import dev.refrain.http.Route;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainEvent.ObservedFinding;
import dev.refrain.observe.RefrainListener;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reports requests that may change something and have a key, but that no protected route covers: logged once for each method, counted
 * always. Thread-safe.
 */
public final class UncoveredKeyReporter {

    private static final System.Logger LOG = System.getLogger(UncoveredKeyReporter.class.getName());
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    private final RefrainListener listener;
    private final String advice;
    private final Supplier<List<Route>> routes;
    private final AtomicReference<@Nullable Set<String>> keyHeaders = new AtomicReference<>();
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    /**
     * Creates a reporter.
     *
     * @param advice a sentence on what to do, for the log
     * @param routes all protected routes: a key is looked for in every header that one of them reads it from. Called once, for the first
     *     request
     */
    public UncoveredKeyReporter(Refrain refrain, String advice, Supplier<List<Route>> routes) {
        this.routes = routes;
        this.listener = refrain.listener();
        this.advice = advice;
    }

    /** Returns true if a request may change something and has a key. */
    public boolean hasKey(RequestHead head) {
        return !SAFE.contains(head.method())
                && keyHeaders().stream().anyMatch(name -> !head.headers(name).isEmpty());
    }

    private Set<String> keyHeaders() {
        var known = keyHeaders.get();
        if (known != null) {
            return known;
        }
        var names = new TreeSet<String>(String.CASE_INSENSITIVE_ORDER);
        names.add(KeySource.STANDARD.toString());
        for (var route : routes.get()) {
            for (var source : route.policy().key().sources()) {
                if (source instanceof KeySource.Header header) {
                    names.add(header.name());
                }
            }
        }
        keyHeaders.set(names);
        return names;
    }

    /** Lets a request pass that no route covers, and reports it if it has a key. */
    public RequestStep pass(RequestHead head) {
        if (hasKey(head)) {
            report(head);
        }
        return RequestDecision.PassThrough.unprotected();
    }

    /** Reports a request that has a key and passes unprotected. */
    public void report(RequestHead head) {
        listener.onEvent(new RefrainEvent.ObservedOnly(head.method(), ObservedFinding.KEY_NOT_COVERED));
        if (logged.add(head.method())) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    () -> head.toString().replaceAll("[^\\x20-\\x7e…]", "?")
                            + " has an idempotency key, but no protected route covers it, so it passes unprotected. "
                            + advice + " Further ones with this method are only counted.");
        }
    }
}
