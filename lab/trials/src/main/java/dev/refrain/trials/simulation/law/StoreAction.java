package dev.refrain.trials.simulation.law;

import dev.refrain.store.AbandonedRecordPoll;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Resolution;
import dev.refrain.store.WriteResponse;
import java.time.Duration;

/** What was done to one record by one call of the store, and what the store answered. */
public sealed interface StoreAction {

    record Claimed(ClaimRequest request, ClaimResponse answer) implements StoreAction {}

    record Wrote(RecordWrite write, WriteResponse answer) implements StoreAction {}

    record Resolved(Resolution resolution, WriteResponse answer) implements StoreAction {}

    record Swept(Duration grace) implements StoreAction {}

    record TakenUp(AbandonedRecordPoll order, dev.refrain.store.AbandonedRecordBatch answer) implements StoreAction {}

    record Reaped() implements StoreAction {}

    record Erased() implements StoreAction {}

    /** A transaction committed: claim and outcome in one step. */
    record Committed(ClaimRequest request) implements StoreAction {}

    /** Only looked at. */
    record Read() implements StoreAction {}
}
