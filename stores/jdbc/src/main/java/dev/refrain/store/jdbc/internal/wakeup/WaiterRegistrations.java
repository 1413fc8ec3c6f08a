package dev.refrain.store.jdbc.internal.wakeup;

import dev.refrain.api.KeyHash;
import dev.refrain.store.StoreException;
import java.time.Duration;
import java.util.Collection;

/** Registrations of one instance, which the statements that end a wait read. Fails with a {@link StoreException}. */
interface WaiterRegistrations {

    /** Lifetime of a registration: long compared with a pause of its process, short compared with a crash. */
    Duration LIFE = Duration.ofMinutes(1);

    /** For databases where every commit is noticed and nobody has to register. */
    WaiterRegistrations NOT_NEEDED = new WaiterRegistrations() {
        @Override
        public void register(Collection<KeyHash> lookups) {}

        @Override
        public void unregister(Collection<KeyHash> lookups) {}
    };

    /** Registers for these records, or extends the registrations. */
    void register(Collection<KeyHash> lookups);

    void unregister(Collection<KeyHash> lookups);
}
