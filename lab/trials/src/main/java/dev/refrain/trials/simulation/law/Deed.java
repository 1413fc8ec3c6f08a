package dev.refrain.trials.simulation.law;

import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.Resolution;
import dev.refrain.store.TakeUp;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import java.time.Duration;

/** What was done to one record by one call of the store, and what the store answered. */
public sealed interface Deed {

    record Claimed(ClaimRequest request, ClaimAnswer answer) implements Deed {}

    record Wrote(Write write, WriteAnswer answer) implements Deed {}

    record Resolved(Resolution resolution, WriteAnswer answer) implements Deed {}

    record Swept(Duration grace) implements Deed {}

    record TakenUp(TakeUp order, dev.refrain.store.TakenUp answer) implements Deed {}

    record Reaped() implements Deed {}

    record Erased() implements Deed {}

    /** A transaction committed: claim and outcome in one step. */
    record Committed(ClaimRequest request) implements Deed {}

    /** Only looked at. */
    record Read() implements Deed {}
}
