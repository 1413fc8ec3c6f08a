package dev.refrain.flow.outbox;

import dev.refrain.store.outbox.Settlement;
import dev.refrain.store.outbox.Taken;

/** @param leaseEnd until when it is worth settling, on the monotonic clock */
record Unsettled(Taken taken, Settlement settlement, long leaseEnd) {}
