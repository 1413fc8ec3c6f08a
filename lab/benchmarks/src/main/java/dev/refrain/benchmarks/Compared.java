package dev.refrain.benchmarks;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Two sides that took turns: slices of equal index ran one right after the other. */
record Compared(String first, List<Slice> firsts, String second, List<Slice> seconds) {

    /** The first side's number ÷ the second's, pair by pair. */
    Spread ratio(ToDoubleFunction<Slice> number) {
        return Spread.of(IntStream.range(0, firsts.size())
                .mapToObj(i -> number.applyAsDouble(firsts.get(i)) / number.applyAsDouble(seconds.get(i)))
                .toList());
    }

    int pairs() {
        return firsts.size();
    }

    List<Figures> figures() {
        return List.of(Figures.of(first, firsts), Figures.of(second, seconds));
    }
}
