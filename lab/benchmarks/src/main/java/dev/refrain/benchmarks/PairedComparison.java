package dev.refrain.benchmarks;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Two sides that were measured in turns: slices of equal index ran one right after the other. */
record PairedComparison(String first, List<MeasuredSlice> firsts, String second, List<MeasuredSlice> seconds) {

    /** Returns the first side's number divided by the second's, for each pair. */
    QuartileSpread ratio(ToDoubleFunction<MeasuredSlice> number) {
        return QuartileSpread.of(IntStream.range(0, firsts.size())
                .mapToObj(i -> number.applyAsDouble(firsts.get(i)) / number.applyAsDouble(seconds.get(i)))
                .toList());
    }

    int pairs() {
        return firsts.size();
    }

    List<WorkloadFigures> figures() {
        return List.of(WorkloadFigures.of(first, firsts), WorkloadFigures.of(second, seconds));
    }
}
