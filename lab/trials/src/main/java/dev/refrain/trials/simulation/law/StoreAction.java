package dev.refrain.trials.simulation.law;

import dev.refrain.store.AbandonedRecordSearch;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import java.time.Duration;

/** Action of one store call on one record, and the store's response. */
public sealed interface StoreAction {

    record Claimed(ClaimRequest request, ClaimResponse answer) implements StoreAction {}

    record Wrote(RecordWrite write, RecordWriteResponse answer) implements StoreAction {}

    record Resolved(Resolution resolution, RecordWriteResponse answer) implements StoreAction {}

    record Swept(Duration grace) implements StoreAction {}

    record TakenUp(AbandonedRecordSearch order, dev.refrain.store.AbandonedRecordPage answer) implements StoreAction {}

    record Reaped() implements StoreAction {}

    record Erased() implements StoreAction {}

    /** Commit of a transaction: claim and outcome in one step. */
    record Committed(ClaimRequest request) implements StoreAction {}

    /** Read without change. */
    record Read() implements StoreAction {}
}
