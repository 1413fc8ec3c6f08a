package dev.refrain.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Measures two sides in turns (A B, B A, A B, …), so that neither gets the quieter half of the machine's time. */
final class InterleavedMeasurement {

    private static final int FEWER = 16;

    /** Share of time that the compiler may use once a side counts as warm. */
    private static final double BUSY_COMPILING = 0.15;

    private final BenchmarkScale scale;
    private final CaseProgressListener meter;

    InterleavedMeasurement(BenchmarkScale scale, CaseProgressListener meter) {
        this.scale = scale;
        this.meter = meter;
    }

    PairedComparison compare(BenchmarkWorkload first, BenchmarkWorkload second, int callers) throws Exception {
        return compare(first, second, new ClosedLoopLoad(callers, scale.lead(), scale.slice()), scale.pairs());
    }

    PairedComparison compare(BenchmarkWorkload first, BenchmarkWorkload second, ClosedLoopLoad load, int pairs)
            throws Exception {
        warmUp(List.of(first, second), load.callers());
        first.warm();
        second.warm();
        var firsts = new ArrayList<MeasuredSlice>();
        var seconds = new ArrayList<MeasuredSlice>();
        for (int i = 0; i < pairs; i++) {
            if (i % 2 == 0) {
                firsts.add(load.on(first));
                seconds.add(load.on(second));
            } else {
                seconds.add(load.on(second));
                firsts.add(load.on(first));
            }
            meter.at(
                    i + 1,
                    pairs,
                    String.format(
                            Locale.ROOT,
                            "pair %d of %d, %.0f/s and %.0f/s",
                            i + 1,
                            pairs,
                            firsts.getLast().perSecond(),
                            seconds.getLast().perSecond()));
        }
        return new PairedComparison(first.name(), firsts, second.name(), seconds);
    }

    /**
     * Warms up until the compiler is idle, which takes two seconds for one statement and half a minute for a web application. Two of three
     * turns have few callers, who leave the compiler a core.
     */
    void warmUp(List<BenchmarkWorkload> sides, int callers) throws Exception {
        var few = new ClosedLoopLoad(Math.max(1, callers / FEWER), scale.lead(), scale.warmUp());
        var all = new ClosedLoopLoad(callers, scale.lead(), scale.warmUp());
        boolean compiling = true;
        for (int i = 1; compiling && i <= scale.mostWarmUps(); i++) {
            meter.at(0, 1, "warming up, turn " + i);
            long before = compiledMillis();
            long begun = System.nanoTime();
            for (var side : sides) {
                (i % 3 == 0 ? all : few).on(side);
            }
            long elapsed = (System.nanoTime() - begun) / 1_000_000;
            compiling = compiledMillis() - before > elapsed * BUSY_COMPILING;
        }
    }

    private static long compiledMillis() {
        return ManagementFactory.getCompilationMXBean().getTotalCompilationTime();
    }
}
