package dev.refrain.outbox;

import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageSettlement;
import java.time.Duration;
import java.util.List;

/** Delivers what was taken, and says what became of each. */
interface MessageDispatcher {

    /** How many rows are worth taking if so many parcels can be under way. */
    int rowsToTake(int parcels);

    /** How many rows of one lane. */
    int maxRowsPerLane();

    /** What is delivered one after the other; rows of one lane are in one parcel, in their order. */
    List<List<LeasedMessage>> batches(List<LeasedMessage> taken, int most);

    /** Delivers a parcel, on a thread of its own. Says of each row what became of it, or leaves it to its lease. */
    void deliver(List<LeasedMessage> parcel, DeliveryCallback desk);

    /** Where couriers report. Safe for use by many threads. */
    interface DeliveryCallback {

        /** Whether another delivery may begin, and will end before its lease does. */
        boolean open();

        /** To be settled. */
        void settle(LeasedMessage taken, MessageSettlement settlement);

        /** It was settled already. */
        void settled(LeasedMessage taken, MessageSettlement settlement);

        /** The other side was there. */
        void reached();

        /** The other side cannot be reached; answers how long to leave it alone. */
        Duration unreachable();
    }
}
