package dev.refrain.run;

/** What came of asking to run work that does not end on the thread it began on. */
public sealed interface Opening permits Opening.Answered, OpenRun {

    /** There is nothing to run. */
    record Answered(RunResult result) implements Opening {}
}
