package dev.refrain.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Measures sides in turns (A B, B A, A B, …), so that none gets the quieter part of the machine's time. */
final class InterleavedMeasurement {

    private static final int FEWER = 16;

    /** Share of time that the compiler may use once a side counts as warm. */
    private static final double BUSY_COMPILING = 0.15;

    private final BenchmarkScale scale;
    private final ResourceMeter resources;
    private final CaseProgressListener meter;

    InterleavedMeasurement(BenchmarkScale scale, ResourceMeter resources, CaseProgressListener meter) {
        this.scale = scale;
        this.resources = resources;
        this.meter = meter;
    }

    PairedComparison compare(BenchmarkWorkload first, BenchmarkWorkload second, int callers) throws Exception {
        return compare(first, second, new ClosedLoopLoad(callers, scale.lead(), scale.slice()), scale.pairs());
    }

    PairedComparison compare(BenchmarkWorkload first, BenchmarkWorkload second, ClosedLoopLoad load, int pairs)
            throws Exception {
        var sides = measure(List.of(first, second), load, pairs);
        return new PairedComparison(sides.getFirst(), sides.getLast());
    }

    /** Measures several sides, one slice of each in every round. */
    List<MeasuredSide> measure(List<BenchmarkWorkload> sides, int callers) throws Exception {
        return measure(sides, new ClosedLoopLoad(callers, scale.lead(), scale.slice()), scale.pairs());
    }

    private List<MeasuredSide> measure(List<BenchmarkWorkload> sides, ClosedLoopLoad load, int rounds)
            throws Exception {
        warmUp(sides, load.callers());
        for (var side : sides) {
            side.warm();
        }
        var slices = new ArrayList<List<MeasuredSlice>>();
        sides.forEach(side -> slices.add(new ArrayList<>()));
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < sides.size(); i++) {
                int side = round % 2 == 0 ? i : sides.size() - 1 - i;
                slices.get(side).add(load.on(sides.get(side), resources::read));
            }
            meter.at(round + 1, rounds, progress(round + 1, rounds, slices));
        }
        return IntStream.range(0, sides.size())
                .mapToObj(i -> new MeasuredSide(sides.get(i).name(), slices.get(i)))
                .toList();
    }

    private static String progress(int round, int rounds, List<List<MeasuredSlice>> slices) {
        return slices.stream()
                .map(side -> String.format(Locale.ROOT, "%.0f/s", side.getLast().perSecond()))
                .collect(Collectors.joining(", ", "pair " + round + " of " + rounds + ", ", ""));
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
