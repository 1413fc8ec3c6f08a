package dev.refrain.outbox;

import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageSettlement;

/** @param leaseEnd until when it is worth settling, on the monotonic clock */
record PendingSettlement(LeasedMessage taken, MessageSettlement settlement, long leaseEnd) {}
