package dev.refrain.verify;

import java.util.concurrent.atomic.AtomicInteger;

/** How many requests may still be sent. Thread-safe. */
final class RequestBudget {

    private final int most;
    private final AtomicInteger used = new AtomicInteger();

    RequestBudget(int most) {
        this.most = most;
    }

    int used() {
        return used.get();
    }

    /** A case that sends more than it announced is a mistake of ours, and stopped. */
    void take() {
        if (used.incrementAndGet() > most) {
            throw new IllegalStateException("A case would send more requests than it announced.");
        }
    }
}
