package dev.refrain.benchmarks;

import java.util.List;

/** Median and quartiles of many numbers. */
public record QuartileSpread(double q1, double median, double q3) {

    static QuartileSpread of(List<Double> numbers) {
        double[] sorted =
                numbers.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return new QuartileSpread(at(sorted, 0.25), at(sorted, 0.5), at(sorted, 0.75));
    }

    /** Returns the spread of a single number. */
    static QuartileSpread single(double number) {
        return new QuartileSpread(number, number, number);
    }

    public double interquartileRange() {
        return q3 - q1;
    }

    private static double at(double[] sorted, double share) {
        double place = share * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
}
