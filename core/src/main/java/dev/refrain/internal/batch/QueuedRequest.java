package dev.refrain.internal.batch;

import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** One question in a {@link StoreBatcher}, and the place where its asker waits. */
final class QueuedRequest<Q, A> {

    final Q question;
    private final long deadline;
    private final CompletableFuture<A> answer = new CompletableFuture<>();
    private volatile Effect effect = Effect.NONE;
    private volatile Optional<Duration> pause = Optional.empty();

    QueuedRequest(Q question, long deadline) {
        this.question = question;
        this.deadline = deadline;
    }

    /** Waits without heeding interrupts; the interrupt flag stays as it was. */
    A await() {
        try {
            return answer.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof StoreException failure) {
                throw failure;
            }
            throw e;
        }
    }

    /** False if nobody waits for the answer any more. */
    boolean complete(A value) {
        return answer.complete(value);
    }

    /** A try that certainly did nothing says nothing about an earlier one whose reply was lost. */
    void fail(StoreException failure) {
        boolean earlierTryCounts = effect == Effect.UNKNOWN && failure.effect() == Effect.NONE;
        answer.completeExceptionally(earlierTryCounts && !neverStorable(failure) ? unknown(failure) : failure);
    }

    /** What can never be stored was not stored by an earlier try either. */
    private static boolean neverStorable(StoreException failure) {
        return failure instanceof RowRejectedException && !failure.isTransient();
    }

    private static StoreException unknown(StoreException last) {
        String message = "An earlier try may have taken effect; the last one failed: " + last.getMessage();
        return last.isTransient()
                ? StoreException.unavailable(message, Effect.UNKNOWN, last)
                : StoreException.permanent(message, Effect.UNKNOWN, last);
    }

    /** Before it is asked again by itself: twice as long each time. */
    Duration nextPause(Duration first, Duration longest) {
        var next = pause.map(last -> last.multipliedBy(2)).orElse(first);
        pause = Optional.of(next.compareTo(longest) < 0 ? next : longest);
        return pause.get();
    }

    boolean isDone() {
        return answer.isDone();
    }

    boolean overdue(long now) {
        return now - deadline >= 0;
    }

    void markEffectUnknown() {
        effect = Effect.UNKNOWN;
    }

    Effect effect() {
        return effect;
    }
}
