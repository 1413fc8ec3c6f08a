package dev.refrain.cli;

import java.io.PrintWriter;

/** Runs the benchmarks and returns the exit code. */
@FunctionalInterface
interface BenchRunner {

    int run(BenchRequest request, PrintWriter out);
}
