package dev.refrain.trials.simulation.law;

import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;

/** End of a run of the work, or of an attempt as its caller saw it. */
public sealed interface ObservedEnding {

    /** Answer of the work and its steering. */
    record Gave(Outcome.Answer answer, Steering steering) implements ObservedEnding {}

    /** Exception of the work. */
    record Threw(Throwable failure, Steering steering) implements ObservedEnding {}

    /** Result of the caller. */
    record Result(OperationResult result) implements ObservedEnding {}

    /** Exception of the caller. */
    record Failed(Throwable failure) implements ObservedEnding {}

    /** Steering by which the work decides what becomes of its answer. */
    enum Steering {
        NONE,
        NOTHING_HAPPENED,
        DO_NOT_KEEP,
        KEEP_STATE_ONLY,
        /** Keep for longer than any world lasts. */
        KEEP_LONGER
    }
}
