package dev.refrain.outbox;

import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import java.time.Duration;
import java.util.List;

/** Delivers leased messages and reports the settlement of each. */
interface MessageDispatcher {

    /** Returns how many rows to lease if so many batches can be under way. */
    int rowsToLease(int batches);

    /** Returns how many rows of one lane to lease. */
    int maxRowsPerLane();

    /** Returns whether the leases have to survive a crash of the database. */
    MessageLeaseRequest.Durability durability();

    /** Splits messages into batches that are delivered one after the other; rows of one lane are in one batch, in their order. */
    List<List<LeasedMessage>> batches(List<LeasedMessage> taken, int most);

    /** Delivers a batch, on a thread of its own. Each row is settled, or left to its lease. */
    void deliver(List<LeasedMessage> batch, DeliveryCallback callback);

    /** Receiver of the settlements. Safe for use by many threads. */
    interface DeliveryCallback {

        /** Returns whether another delivery may begin, and will end before its lease does. */
        boolean mayDeliver();

        /** Asks for a settlement to be written. */
        void settle(LeasedMessage taken, MessageSettlement settlement);

        /** Reports a settlement that was written already. */
        void settled(LeasedMessage taken, MessageSettlement settlement);

        /** Reports that the target answered. */
        void reached();

        /** Reports that the target cannot be reached, and returns how long to leave it alone. */
        Duration unreachable();
    }
}
