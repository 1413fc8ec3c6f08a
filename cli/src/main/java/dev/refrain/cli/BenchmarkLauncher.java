package dev.refrain.cli;

import java.io.PrintWriter;

/**
 * Runs the benchmarks for {@code refrain bench}. The command finds its implementation by {@link java.util.ServiceLoader}, because
 * benchmarks are not part of the product.
 */
@FunctionalInterface
public interface BenchmarkLauncher {

    /**
     * Runs the measurements, prints the results and returns the exit code.
     *
     * @throws CommandFailedException if the request names an unknown measurement, or the results cannot be written
     */
    int run(BenchmarkOptions request, PrintWriter out);
}
