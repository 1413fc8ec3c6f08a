package dev.refrain.store.outbox;

import java.time.Duration;

/**
 * Request to lease messages of a topic. Immutable.
 *
 * @param lease how long no other relay gets them
 * @param durability whether the lease has to survive a crash of the database
 * @param maxRows the maximum number of messages
 * @param maxRowsPerLane the maximum number of messages of one lane
 * @param maxBytes stops adding messages once their total size reaches this
 */
public record MessageLeaseRequest(
        String topic, Duration lease, Durability durability, int maxRows, int maxRowsPerLane, long maxBytes) {

    /** Whether a lease has to survive a crash of the database. */
    public enum Durability {
        /** It has to, because what is leased may be sent: it must never look as if it had not been. */
        SURVIVES_CRASHES,

        /**
         * The database may forget the lease when it crashes, which saves a write to disk: whatever the delivery does commits together with
         * the settlement, which only one of two relays can write.
         */
        FORGOTTEN_IN_CRASHES
    }

    /** Creates a request for a lease that survives crashes of the database. */
    public MessageLeaseRequest(String topic, Duration lease, int maxRows, int maxRowsPerLane, long maxBytes) {
        this(topic, lease, Durability.SURVIVES_CRASHES, maxRows, maxRowsPerLane, maxBytes);
    }
}
