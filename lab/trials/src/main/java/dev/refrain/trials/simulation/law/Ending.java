package dev.refrain.trials.simulation.law;

import dev.refrain.outcome.Outcome;
import dev.refrain.run.RunResult;

/** How something ended: a run of the work, or an attempt as its caller saw it. */
public sealed interface Ending {

    /** The work gave this answer, and said this about it. */
    record Gave(Outcome.Answer answer, Steering steering) implements Ending {}

    /** The work threw. */
    record Threw(Throwable failure, Steering steering) implements Ending {}

    /** The caller got a result. */
    record Result(RunResult result) implements Ending {}

    /** The caller got an exception. */
    record Failed(Throwable failure) implements Ending {}

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
