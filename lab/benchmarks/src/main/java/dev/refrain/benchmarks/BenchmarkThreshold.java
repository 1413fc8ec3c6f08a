package dev.refrain.benchmarks;

import java.util.Locale;

/** Value that a measured number has to reach. */
public record BenchmarkThreshold(Direction direction, double value) {

    /** Direction in which a number is better. */
    public enum Direction {
        AT_LEAST("≥"),
        AT_MOST("≤");

        private final String sign;

        Direction(String sign) {
            this.sign = sign;
        }
    }

    static BenchmarkThreshold atLeast(double value) {
        return new BenchmarkThreshold(Direction.AT_LEAST, value);
    }

    static BenchmarkThreshold atMost(double value) {
        return new BenchmarkThreshold(Direction.AT_MOST, value);
    }

    boolean isMetBy(double number) {
        return direction == Direction.AT_LEAST ? number >= value : number <= value;
    }

    @Override
    public String toString() {
        return direction.sign + " " + String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.0f", value);
    }
}
