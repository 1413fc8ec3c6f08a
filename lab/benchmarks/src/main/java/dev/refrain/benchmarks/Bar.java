package dev.refrain.benchmarks;

import java.util.Locale;

/** What a number has to reach. */
public record Bar(Direction direction, double value) {

    /** Whether more is better. */
    public enum Direction {
        AT_LEAST("≥"),
        AT_MOST("≤");

        private final String sign;

        Direction(String sign) {
            this.sign = sign;
        }
    }

    static Bar atLeast(double value) {
        return new Bar(Direction.AT_LEAST, value);
    }

    static Bar atMost(double value) {
        return new Bar(Direction.AT_MOST, value);
    }

    boolean isMetBy(double number) {
        return direction == Direction.AT_LEAST ? number >= value : number <= value;
    }

    @Override
    public String toString() {
        return direction.sign + " " + String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.0f", value);
    }
}
