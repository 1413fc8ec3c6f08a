package dev.refrain.store;

import dev.refrain.api.KeyHash;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Store ability: notifies an instance that waits for a record when another instance ends that wait.
 *
 * <p>A wait ends when the record is completed, released or escalated, or when the transaction that ran it is rolled back. A
 * wake-up is only a hint: its receiver reads the record. Wake-ups may be spurious, repeated or lost (the store's connection
 * broke, the other instance crashed before it sent one), so waiters also poll. A record that nobody watches costs its writers
 * next to nothing, and nothing is sent for it.
 */
public interface WakeupChannel {

    /**
     * Minimum time that a caller has waited before it watches the record: it polls first. A transaction that ran for a shorter time need not look
     * for watches.
     */
    Duration EARLIEST_WATCH = Duration.ofMillis(20);

    /**
     * Opens a watch over records. It uses no resources of the store until a record is watched.
     *
     * @param changed receives the hash of each record to be read; called by threads of the store, which it must not block
     */
    RecordWatch openWatch(Consumer<KeyHash> changed);

    /** Records that one instance waits for. Thread-safe; no method waits for the store. */
    interface RecordWatch extends AutoCloseable {

        /**
         * Watches a record. After that there is one wake-up for it, so that earlier changes are not missed; then one for each
         * change that ends a wait, also by this instance where the store cannot tell.
         */
        void watch(KeyHash lookup);

        /** Ends the watch of one record. Wake-ups in flight may still arrive. */
        void unwatch(KeyHash lookup);

        /** Ends all watching. */
        @Override
        void close();
    }
}
