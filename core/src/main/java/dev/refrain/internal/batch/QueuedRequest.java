package dev.refrain.internal.batch;

import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreOverloadedException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Request queued in a {@link StoreBatcher}, on which its caller waits. */
final class QueuedRequest<Q, A> {

    final Q question;
    private final long deadline;
    private final CompletableFuture<A> answer = new CompletableFuture<>();
    private volatile boolean taken;
    private volatile Effect effect = Effect.NONE;
    private volatile Optional<Duration> pause = Optional.empty();
    private volatile Optional<StoreException> lastAnswer = Optional.empty();

    QueuedRequest(Q question, long deadline) {
        this.question = question;
        this.deadline = deadline;
    }

    /** Waits uninterruptibly; the interrupt flag stays as it was. */
    A await() {
        try {
            var value = answer.join();
            taken = true;
            return value;
        } catch (CompletionException e) {
            if (e.getCause() instanceof StoreException failure) {
                throw failure;
            }
            throw e;
        }
    }

    /** Completes the request; returns false if nobody waits for the answer any more. */
    boolean complete(A value) {
        return answer.complete(value);
    }

    /** Fails the request. A try without effect says nothing about an earlier one whose reply was lost. */
    void fail(StoreException failure) {
        boolean earlierTryCounts = effect == Effect.UNKNOWN && failure.effect() == Effect.NONE;
        answer.completeExceptionally(earlierTryCounts && !neverStorable(failure) ? unknown(failure) : failure);
    }

    /** Returns true for data that can never be stored, so that an earlier try did not store it either. */
    private static boolean neverStorable(StoreException failure) {
        return failure instanceof RowRejectedException && !failure.isTransient();
    }

    private static StoreException unknown(StoreException last) {
        String message = "An earlier try may have taken effect; the last one failed: " + last.getMessage();
        return last.isTransient()
                ? StoreException.unavailable(message, Effect.UNKNOWN, last)
                : StoreException.permanent(message, Effect.UNKNOWN, last);
    }

    /** Returns the pause before the request is sent again by itself: twice as long each time. */
    Duration nextPause(Duration first, Duration longest) {
        var next = pause.map(last -> last.multipliedBy(2)).orElse(first);
        pause = Optional.of(next.compareTo(longest) < 0 ? next : longest);
        return pause.get();
    }

    /** Remembers that the store was reached and could not do it at that moment. */
    void markAnswered(StoreException busy) {
        lastAnswer = Optional.of(busy);
    }

    /** Fails a request at its deadline. A store that answered is busy, and not away: nobody may run unprotected because of that. */
    void expire(@Nullable StoreException lastFailure) {
        fail(lastAnswer
                .<StoreException>map(busy -> new StoreOverloadedException(
                        "The store could not do it in time, and nothing happened; retry later. Its last answer: "
                                + busy.getMessage()))
                .orElseGet(() -> StoreException.unavailable(
                        "The store did not answer in time"
                                + (lastFailure == null ? "." : ": " + lastFailure.getMessage()),
                        effect,
                        lastFailure)));
    }

    /** Returns true if the caller has the answer and goes on with it. */
    boolean isTaken() {
        return taken || answer.isCompletedExceptionally();
    }

    /** Returns true if the caller has gone without an answer. */
    boolean isAbandoned() {
        return answer.isCompletedExceptionally();
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
}
