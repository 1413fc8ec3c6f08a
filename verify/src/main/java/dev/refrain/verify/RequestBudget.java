package dev.refrain.verify;

import java.util.concurrent.atomic.AtomicInteger;

/** Limit on the number of requests that a case may send. Thread-safe. */
final class RequestBudget {

    private final int limit;
    private final AtomicInteger used = new AtomicInteger();

    RequestBudget(int limit) {
        this.limit = limit;
    }

    int used() {
        return used.get();
    }

    /**
     * Counts one request.
     *
     * @throws IllegalStateException if the case sends more than it declared, which is a bug in the case
     */
    void take() {
        if (used.incrementAndGet() > limit) {
            throw new IllegalStateException("A case tried to send more requests than it declared.");
        }
    }
}
