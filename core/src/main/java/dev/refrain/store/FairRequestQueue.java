package dev.refrain.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Queue that serves scopes in turn, one request each, so that a scope with many requests delays its own and hardly those of others.
 * Requests of one scope keep their order. Requests that are put back come before all others: they have waited longest. For stores that let
 * callers wait for something scarce, such as connections.
 *
 * <p>Not thread-safe, with one exception: {@link #aheadOf} needs no lock, because under overload most callers ask nothing else.
 */
public final class FairRequestQueue<T> {

    private final Function<T, String> scopeOf;
    private final ArrayDeque<T> putBack = new ArrayDeque<>();
    private final ArrayDeque<ScopeQueue<T>> turns = new ArrayDeque<>();
    private final Map<String, ScopeQueue<T>> byScope = new ConcurrentHashMap<>();
    private volatile int size;
    private volatile int scopes;
    private volatile int first;

    /** Requests of one scope; its length is read without a lock. */
    private static final class ScopeQueue<T> {
        private final String scope;
        private final ArrayDeque<T> requests = new ArrayDeque<>(2);
        private volatile int length;

        ScopeQueue(String scope) {
            this.scope = scope;
        }
    }

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
        String scope = scopeOf.apply(request);
        var own = byScope.get(scope);
        if (own == null) {
            own = new ScopeQueue<>(scope);
            byScope.put(scope, own);
            turns.add(own);
        }
        own.requests.add(request);
        own.length = own.requests.size();
        grow(1);
    }

    public void addFirst(T request) {
        putBack.addFirst(request);
        grow(1);
    }

    /** Returns the next request, which stays in the queue. */
    public T element() {
        return putBack.isEmpty() ? turns.element().requests.element() : putBack.element();
    }

    /** Removes the next request; its scope goes to the end of the line. */
    public T remove() {
        T next = putBack.isEmpty() ? removeInTurn() : putBack.remove();
        grow(-1);
        return next;
    }

    private T removeInTurn() {
        var own = turns.remove();
        T next = own.requests.remove();
        if (!leftIfEmpty(own)) {
            turns.add(own);
        }
        return next;
    }

    /** Removes and returns all requests that match. */
    public List<T> removeAll(Predicate<T> which) {
        var removed = new ArrayList<T>();
        Predicate<T> taken = request -> which.test(request) && removed.add(request);
        putBack.removeIf(taken);
        turns.removeIf(own -> own.requests.removeIf(taken) && leftIfEmpty(own));
        grow(-removed.size());
        return removed;
    }

    /** Forgets a scope that has no request left, and says so. */
    private boolean leftIfEmpty(ScopeQueue<T> own) {
        own.length = own.requests.size();
        return own.requests.isEmpty() && byScope.remove(own.scope, own);
    }

    private void grow(int by) {
        first = putBack.size();
        scopes = turns.size();
        int now = size + by;
        size = now;
    }

    /**
     * Returns how many requests would be served before a new one of this scope, at most. Needs no lock: while another thread changes the queue,
     * it may miss that change.
     */
    public int aheadOf(String scope) {
        var own = byScope.get(scope);
        long rounds = own == null ? 1 : own.length + 1L;
        return (int) Math.min(size, first + rounds * (scopes + 1));
    }
}
