package dev.refrain.benchmarks;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** Two sides that were measured in turns. */
record PairedComparison(MeasuredSide first, MeasuredSide second) {

    /** Returns the first side's number divided by the second's, for each pair. */
    QuartileSpread ratio(ToDoubleFunction<MeasuredSlice> number) {
        return first.ratioTo(second, number);
    }

    int pairs() {
        return first.slices().size();
    }

    List<WorkloadFigures> figures() {
        return List.of(WorkloadFigures.of(first), WorkloadFigures.of(second));
    }
}
