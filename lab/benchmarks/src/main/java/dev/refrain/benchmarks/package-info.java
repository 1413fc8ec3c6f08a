/**
 * Benchmarks of the cost of protection: {@code ./refrain bench}.
 *
 * <p>Every number is a ratio of two {@link dev.refrain.benchmarks.BenchmarkWorkload sides} that ran one right after the other, many times
 * in one run, so that what else the machine does hits both. {@link dev.refrain.benchmarks.BenchmarkCase} is one row of the table;
 * {@link dev.refrain.benchmarks.InterleavedMeasurement} takes turns; {@link dev.refrain.benchmarks.BenchmarkTestbed} is where it happens.
 */
@NullMarked
package dev.refrain.benchmarks;

import org.jspecify.annotations.NullMarked;
