package dev.refrain.trials.simulation.machine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Trace of a world. A hash of it is always kept; its lines only on demand, because a failing seed can be run again. */
public final class SimulationTrace {

    private static final long PRIME = 0x100000001B3L;

    private final boolean kept;
    private final List<String> lines = new ArrayList<>();
    private long hash = 0xCBF29CE484222325L;

    private SimulationTrace(boolean kept) {
        this.kept = kept;
    }

    public static SimulationTrace hashOnly() {
        return new SimulationTrace(false);
    }

    public static SimulationTrace ofLines() {
        return new SimulationTrace(true);
    }

    void step(long value) {
        hash = (hash ^ value) * PRIME;
    }

    void line(long nanos, String who, Supplier<String> what) {
        if (kept) {
            var line = String.format(
                    "%12.6f  %-9s %s", nanos / (double) Duration.ofSeconds(1).toNanos(), who, what.get());
            step(line.hashCode());
            lines.add(line);
        }
    }

    /** Returns a hash that is equal for equal traces. */
    public long hash() {
        return hash;
    }

    public List<String> lines() {
        return List.copyOf(lines);
    }

    public List<String> last(int count) {
        return List.copyOf(lines.subList(Math.max(0, lines.size() - count), lines.size()));
    }
}
