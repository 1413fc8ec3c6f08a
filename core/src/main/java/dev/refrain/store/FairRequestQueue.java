package dev.refrain.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Queue that serves scopes in turn, one request each, so that a scope with many requests delays its own and hardly those of others.
 * Requests of one scope keep their order. Requests that are put back come before all others: they have waited longest. For stores that let
 * callers wait for something scarce, such as connections.
 *
 * <p>Not thread-safe.
 */
public final class FairRequestQueue<T> {

    private final Function<T, String> scopeOf;
    private final ArrayDeque<T> putBack = new ArrayDeque<>();
    private final Map<String, ArrayDeque<T>> byScope = new LinkedHashMap<>();
    private int size;

    public FairRequestQueue(Function<T, String> scopeOf) {
        this.scopeOf = scopeOf;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public int size() {
        return size;
    }

    public void add(T request) {
        byScope.computeIfAbsent(scopeOf.apply(request), scope -> new ArrayDeque<>(2))
                .add(request);
        size++;
    }

    public void addFirst(T request) {
        putBack.addFirst(request);
        size++;
    }

    /** Returns the next request, which stays in the queue. */
    public T element() {
        return putBack.isEmpty() ? byScope.values().iterator().next().element() : putBack.element();
    }

    /** Removes the next request; its scope goes to the end of the line. */
    public T remove() {
        size--;
        if (!putBack.isEmpty()) {
            return putBack.remove();
        }
        var first = byScope.entrySet().iterator().next();
        String scope = first.getKey();
        var requests = first.getValue();
        var next = requests.remove();
        byScope.remove(scope);
        if (!requests.isEmpty()) {
            byScope.put(scope, requests);
        }
        return next;
    }

    /** Removes and returns all requests that match. */
    public List<T> removeAll(Predicate<T> which) {
        var removed = new ArrayList<T>();
        Predicate<T> taken = request -> which.test(request) && removed.add(request);
        putBack.removeIf(taken);
        byScope.values().removeIf(requests -> {
            requests.removeIf(taken);
            return requests.isEmpty();
        });
        size -= removed.size();
        return removed;
    }

    /** Returns how many requests would be served before a new one of this scope, at most. */
    public int aheadOf(String scope) {
        var own = byScope.get(scope);
        long turns = own == null ? 1 : own.size() + 1L;
        return (int) Math.min(size, putBack.size() + turns * (byScope.size() + 1));
    }
}
