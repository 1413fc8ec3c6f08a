package dev.refrain.benchmarks;
/** Listener for the progress of one measurement. */
@FunctionalInterface
interface CaseProgressListener {

    void at(int step, int of, String note);
}
