package dev.refrain.flow;

import java.time.Duration;
import java.util.Optional;

/**
 * What another system offers to those who do not know whether their call arrived.
 *
 * @param <R> the flow's request
 * @param <A> what the call answers
 */
public sealed interface Downstream<R, A> {

    /** It acts once for a key, and remembers keys for that long: within it the call is sent again under the same key. */
    record HonoursKeys<R, A>(Optional<Duration> memory) implements Downstream<R, A> {}

    /** It can be asked what became of a call, which is asked before the call is sent again. */
    record Queryable<R, A>(Lookup<R, A> lookup) implements Downstream<R, A> {}

    /** Neither. A call whose end is not known is never sent again, and waits for a decision. */
    record NotRetryable<R, A>() implements Downstream<R, A> {}

    static <R, A> Downstream<R, A> honoursKeys(Duration memory) {
        if (!memory.isPositive()) {
            throw new IllegalArgumentException("A memory of " + memory + " is none: declare it as blind.");
        }
        return new HonoursKeys<>(Optional.of(memory));
    }

    /** For those that never forget a key. */
    static <R, A> Downstream<R, A> honoursKeysForEver() {
        return new HonoursKeys<>(Optional.empty());
    }

    static <R, A> Downstream<R, A> queryable(Lookup<R, A> lookup) {
        return new Queryable<>(lookup);
    }

    static <R, A> Downstream<R, A> notRetryable() {
        return new NotRetryable<>();
    }

    /** Asks what became of a call that may have been sent. */
    @FunctionalInterface
    interface Lookup<R, A> {

        /** Empty if it certainly never arrived and never will. If that cannot be told now, it throws. */
        Optional<A> find(ForeignCall<R> call) throws Exception;
    }
}
