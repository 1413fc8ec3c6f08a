package dev.refrain.trials.simulation.law;

import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;

/** How something ended: a run of the work, or an attempt as its caller saw it. */
public sealed interface ObservedEnding {

    /** The work gave this answer, and said this about it. */
    record Gave(Outcome.Answer answer, Steering steering) implements ObservedEnding {}

    /** The work threw. */
    record Threw(Throwable failure, Steering steering) implements ObservedEnding {}

    /** The caller got a result. */
    record Result(OperationResult result) implements ObservedEnding {}

    /** The caller got an exception. */
    record Failed(Throwable failure) implements ObservedEnding {}

    /** What the work said of its own answer. */
    enum Steering {
        NONE,
        NOTHING_HAPPENED,
        DO_NOT_KEEP,
        KEEP_STATE_ONLY,
        /** For longer than any world lasts. */
        KEEP_LONGER
    }
}
