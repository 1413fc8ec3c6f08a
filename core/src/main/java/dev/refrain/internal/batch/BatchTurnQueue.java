package dev.refrain.internal.batch;

import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets crowded lanes send one after the other: while one's batch is under way, the other's gathers. A trip to the store costs
 * nearly the same for few rows as for many, so fewer and larger batches leave more of the machine to everybody.
 *
 * <p>Safe for use by many threads.
 */
final class BatchTurnQueue {

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Turn> waiting = new ArrayDeque<>();
    private @Nullable Turn current;

    /** A sender's place in the line; given up when its batch is back. */
    final class Turn implements AutoCloseable {
        private final CompletableFuture<@Nullable Void> come = new CompletableFuture<>();

        void await() {
            come.join();
        }

        /** Ends the waiting before the turn has come: whoever is before takes too long. */
        void skip() {
            come.complete(null);
        }

        @Override
        public void close() {
            leave(this);
        }
    }

    /** For a lane that is not crowded: it waits for nobody, and nobody for it. */
    Turn skipQueue() {
        var turn = new Turn();
        turn.skip();
        return turn;
    }

    /** The next turn, which may have come already. */
    Turn next() {
        var turn = new Turn();
        lock.lock();
        try {
            if (current == null) {
                current = turn;
                turn.skip();
            } else {
                waiting.add(turn);
            }
        } finally {
            lock.unlock();
        }
        return turn;
    }

    private void leave(Turn turn) {
        lock.lock();
        try {
            waiting.remove(turn);
            if (current == turn) {
                current = waiting.poll();
                if (current != null) {
                    current.skip();
                }
            }
        } finally {
            lock.unlock();
        }
    }
}
