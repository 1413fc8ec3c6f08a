package dev.refrain.outbox;

import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageSettlement;

/**
 * Settlement that is not written yet.
 *
 * @param leaseEnd the end of the message's lease, on the monotonic clock
 */
record PendingSettlement(LeasedMessage taken, MessageSettlement settlement, long leaseEnd) {}
