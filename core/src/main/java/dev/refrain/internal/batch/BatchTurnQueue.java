package dev.refrain.internal.batch;

import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Makes busy batchers send one after the other: while the batch of one is in flight, those of the others grow. A round trip costs
 * nearly the same for few rows as for many, so fewer and larger batches leave more of the machine to others.
 *
 * <p>Thread-safe.
 */
final class BatchTurnQueue {

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Turn> waiting = new ArrayDeque<>();
    private @Nullable Turn current;

    /** A sender's place in the queue; closed when its batch has returned. */
    final class Turn implements AutoCloseable {
        private final CompletableFuture<@Nullable Void> come = new CompletableFuture<>();

        void await() {
            come.join();
        }

        /** Stops waiting before the turn has come, because the sender ahead takes too long. */
        void skip() {
            come.complete(null);
        }

        @Override
        public void close() {
            leave(this);
        }
    }

    /** Returns a turn for a batcher that is not busy: it waits for nobody, and nobody for it. */
    Turn skipQueue() {
        var turn = new Turn();
        turn.skip();
        return turn;
    }

    /** Returns the next turn, which may have come already. */
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
