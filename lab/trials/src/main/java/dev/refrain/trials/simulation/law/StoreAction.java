package dev.refrain.trials.simulation.law;

import dev.refrain.store.AbandonedRecordPoll;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Resolution;
import dev.refrain.store.WriteResponse;
import java.time.Duration;

/** Action of one store call on one record, and the store's response. */
public sealed interface StoreAction {

    record Claimed(ClaimRequest request, ClaimResponse answer) implements StoreAction {}

    record Wrote(RecordWrite write, WriteResponse answer) implements StoreAction {}

    record Resolved(Resolution resolution, WriteResponse answer) implements StoreAction {}

    record Swept(Duration grace) implements StoreAction {}

    record TakenUp(AbandonedRecordPoll order, dev.refrain.store.AbandonedRecordBatch answer) implements StoreAction {}

    record Reaped() implements StoreAction {}

    record Erased() implements StoreAction {}

    /** Commit of a transaction: claim and outcome in one step. */
    record Committed(ClaimRequest request) implements StoreAction {}

    /** Read without change. */
    record Read() implements StoreAction {}
}
