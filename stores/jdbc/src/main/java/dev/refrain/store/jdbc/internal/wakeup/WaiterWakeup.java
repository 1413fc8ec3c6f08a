package dev.refrain.store.jdbc.internal.wakeup;

import dev.refrain.api.KeyHash;
import java.util.Collection;

/** Wakes waiters of records, once the change they wait for is committed or rolled back. */
@FunctionalInterface
public interface WaiterWakeup {

    /** For databases where nobody registers. */
    WaiterWakeup NONE = lookups -> {};

    /** Wakes the registered waiters of these records, without blocking; nothing is sent for a record without waiters. */
    void wakeWaiters(Collection<KeyHash> lookups);
}
