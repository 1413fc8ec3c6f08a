package dev.refrain.store.contract;

import dev.refrain.store.Store;
import java.time.Duration;
import java.util.Optional;

/**
 * What the suite needs to know of a store besides {@link Store} itself. The store's author writes one; each test makes a
 * new one, uses it from one thread and closes it.
 */
public interface StoreHarness extends AutoCloseable {

    /** A store without any records or audit trail: a new one, or the last test's one emptied. Called once, first. */
    Store open();

    /**
     * Makes at least this much time pass for everything that is in the store, up to ten years, at once.
     *
     * <p>A store with an injected clock moves it. A store whose clock cannot be moved ages what it holds instead: one
     * statement that takes {@code time} off every lease, expiry, first claim and beginning of an attention.
     */
    void advanceTime(Duration time);

    /**
     * Another handle on the same data, as another process has it. Only a store whose data lives in the handle itself gives
     * the same one again.
     */
    Store openSecond();

    /**
     * A handle on what is left after the store's process ended without warning: at the least, the first handle is abandoned
     * and not closed. Present exactly if the store's traits say that it is durable.
     */
    default Optional<Store> reopenAfterCrash() {
        return Optional.empty();
    }

    /**
     * Makes all that is stored look as if a later version of the code had written it, in a form this one does not know:
     * raises the version that is kept with each record, or with the schema. Every durable store has one or the other.
     */
    default void simulateNewerFormat() {
        throw new UnsupportedOperationException("This store says that it is durable: let its harness override"
                + " pretendLaterFormat() and raise the format version that is stored.");
    }

    /** Closes every handle that was given out. */
    @Override
    void close();
}
