package dev.refrain.benchmarks;

/** Hears how far one case is. */
@FunctionalInterface
interface Meter {

    void at(int step, int of, String note);
}
