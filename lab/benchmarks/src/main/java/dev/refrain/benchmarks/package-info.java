/**
 * What protection costs, measured: {@code ./refrain bench}.
 *
 * <p>Every number is a ratio of two {@link dev.refrain.benchmarks.Side sides} that ran one right after the other, many times
 * in one run, so that what else the machine does hits both. {@link dev.refrain.benchmarks.Case} is one row of the table;
 * {@link dev.refrain.benchmarks.Pairs} takes turns; {@link dev.refrain.benchmarks.Lab} is where it happens.
 */
@NullMarked
package dev.refrain.benchmarks;

import org.jspecify.annotations.NullMarked;
