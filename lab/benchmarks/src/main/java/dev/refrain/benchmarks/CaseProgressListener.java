package dev.refrain.benchmarks;
/** Hears how far one case is. */
@FunctionalInterface
interface CaseProgressListener {

    void at(int step, int of, String note);
}
