package dev.refrain.store.cas;

import dev.refrain.api.KeyHash;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Leases that this handle has seen, and since when by its own monotonic clock. A lease has ended once it was seen to stand, not renewed, for as
 * long as it lasts: from the answer that showed it first to the question whose answer shows it last. What is forgotten ends later, never
 * earlier. Thread-safe.
 */
final class LeaseSightings {

    private static final int REMEMBERED = 100_000;

    /** A lease: no two claims or renewals have the same. */
    record Lease(UUID record, long fence, long beat, Duration time) {}

    private record Sighting(Lease lease, long firstSeen) {}

    private final Map<KeyHash, Sighting> sightings = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<KeyHash, Sighting> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** Returns what is left of a lease at most; negative for how long it has been seen to be over. */
    synchronized Duration see(KeyHash lookup, Lease lease, long askedAt, long answeredAt) {
        var known = sightings.get(lookup);
        if (known == null || !known.lease.equals(lease)) {
            sightings.put(lookup, new Sighting(lease, answeredAt));
            return lease.time;
        }
        long seenFor = Math.max(0, askedAt - known.firstSeen);
        return lease.time.minusNanos(seenFor);
    }

    /** Returns true if the lease that was seen last under this lookup has been standing for as long as it lasts. */
    synchronized boolean mayHaveEnded(KeyHash lookup, long now) {
        var known = sightings.get(lookup);
        return known != null && now - known.firstSeen >= known.lease.time.toNanos();
    }

    /** Forgets a record that nobody runs. */
    synchronized void forget(KeyHash lookup) {
        sightings.remove(lookup);
    }
}
