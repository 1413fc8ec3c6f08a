package dev.refrain.benchmarks;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** One side of a measurement with all its slices. Slices of equal index ran one right after the other on all sides. */
record MeasuredSide(String name, List<MeasuredSlice> slices) {

    MeasuredSide {
        slices = List.copyOf(slices);
    }

    /** Returns this side's number divided by that of another side, for each round. */
    QuartileSpread ratioTo(MeasuredSide other, ToDoubleFunction<MeasuredSlice> number) {
        return QuartileSpread.of(IntStream.range(0, slices.size())
                .mapToObj(i -> number.applyAsDouble(slices.get(i))
                        / number.applyAsDouble(other.slices().get(i)))
                .toList());
    }
}
