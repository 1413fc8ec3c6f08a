package dev.refrain.api;

import java.time.Duration;
import java.util.Optional;

/**
 * The guarantee that another system gives to a caller who does not know whether a call arrived. It decides whether such a call is sent
 * again, looked up first, or left for a person to resolve.
 *
 * <table>
 *   <caption>A call whose outcome is unknown</caption>
 *   <tr><td>{@link #honoursKeys}</td><td>is sent again under the same key, while the other system remembers keys</td></tr>
 *   <tr><td>{@link #queryable}</td><td>is looked up, and sent again only if it never arrived</td></tr>
 *   <tr><td>{@link #notRetryable}</td><td>is never sent again: a person resolves it</td></tr>
 * </table>
 *
 * @param <K> the call as a lookup sees it: a foreign call of a flow, or a delivery of the outbox
 * @param <A> the answer of the other system
 */
public sealed interface Downstream<K, A> {

    /**
     * A system that acts once per key.
     *
     * @param memory how long it remembers a key; empty if it never forgets one
     */
    record HonoursKeys<K, A>(Optional<Duration> memory) implements Downstream<K, A> {}

    /** A system that can be asked whether a call arrived. */
    record Queryable<K, A>(Lookup<K, A> lookup) implements Downstream<K, A> {}

    /** A system that neither honours keys nor answers lookups. */
    record NotRetryable<K, A>() implements Downstream<K, A> {}

    /**
     * Returns the guarantee of a system that acts once per key.
     *
     * @param memory how long it remembers a key
     */
    static <K, A> Downstream<K, A> honoursKeys(Duration memory) {
        if (!memory.isPositive()) {
            throw new IllegalArgumentException(
                    "The time for which a downstream remembers keys must be positive, but is " + DurationText.of(memory)
                            + ". Use notRetryable() for a system that remembers none.");
        }
        return new HonoursKeys<>(Optional.of(memory));
    }

    /** Returns the guarantee of a system that acts once per key and never forgets one. */
    static <K, A> Downstream<K, A> honoursKeysForEver() {
        return new HonoursKeys<>(Optional.empty());
    }

    /** Returns the guarantee of a system that can be asked whether a call arrived. */
    static <K, A> Downstream<K, A> queryable(Lookup<K, A> lookup) {
        return new Queryable<>(lookup);
    }

    /** Returns the guarantee of a system that gives none. */
    static <K, A> Downstream<K, A> notRetryable() {
        return new NotRetryable<>();
    }

    /** Finds out whether a call arrived that may have been sent. */
    @FunctionalInterface
    interface Lookup<K, A> {

        /**
         * Returns the answer that the call was given, or nothing if it certainly never arrived and never will.
         *
         * @throws Exception if that cannot be known now; the lookup is repeated later
         */
        Optional<A> find(K call) throws Exception;
    }
}
