package dev.refrain.benchmarks;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Two sides that took turns: slices of equal index ran one right after the other. */
record PairedComparison(String first, List<MeasuredSlice> firsts, String second, List<MeasuredSlice> seconds) {

    /** The first side's number ÷ the second's, pair by pair. */
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
