package dev.refrain.store.contract;

import dev.refrain.store.Store;
import dev.refrain.store.StoreClock;
import java.time.Duration;
import java.util.Optional;

/**
 * Everything the suite needs of a store besides {@link Store}. The store's author writes one; each test creates a new one, uses
 * it from one thread and closes it.
 */
public interface StoreHarness extends AutoCloseable {

    /** Opens a store without records or audit trail: a new one, or an emptied one. Called once, before anything else. */
    Store open();

    /**
     * Lets at least this much time pass at once for everything in the store, up to ten years.
     *
     * <p>A store with an injected clock moves it. A store whose clock cannot be moved ages its data instead: one statement
     * subtracts {@code time} from every lease, expiry, first claim and start of attention. A store without a clock
     * ({@link StoreClock#NONE}) lets all its handles look at what is running, as their sweepers would have done meanwhile, and then moves their
     * clocks: by {@code time} and what it allows for clocks that differ, which must be less than a minute over a whole test.
     */
    void advanceTime(Duration time);

    /**
     * Sets the store's clock back by this much after {@link #advanceTime}, as after a clock that was ahead for a while: what the store
     * wrote meanwhile, its own notes included, lies that much further in the future. Not called for a store without a clock.
     */
    default void turnBackTime(Duration time) {
        advanceTime(time.negated());
    }

    /**
     * Opens another handle on the same data, as another process would. Only a store that keeps its data in the handle itself
     * returns the same one. Where the store has no clock, the handle has another clock than the first one, which differs from it by all that
     * the store allows.
     */
    Store openSecond();

    /**
     * Opens a handle on the data that remains after the store's process crashed; at the least, the first handle is abandoned and
     * not closed. Present exactly if the store's traits say that it is durable.
     */
    default Optional<Store> reopenAfterCrash() {
        return Optional.empty();
    }

    /**
     * Makes all stored data look as if a later version had written it in an unknown format: raises the version stored with each
     * record, or with the schema. Every durable store has one of the two.
     */
    default void simulateNewerFormat() {
        throw new UnsupportedOperationException("A durable store needs this: override"
                + " simulateNewerFormat() in its harness and raise the stored format version.");
    }

    /**
     * Returns whether the database itself deletes expired records, by a time to live that is stored with each. Then {@link Store#reap} may
     * find fewer records than have expired, or none.
     */
    default boolean deletesExpiredItself() {
        return false;
    }

    /** Closes all handles opened by this harness. */
    @Override
    void close();
}
