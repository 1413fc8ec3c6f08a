package dev.refrain.benchmarks;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Measures what a gateway in a process of its own still completes at twice the load that it takes. */
record GatewayOverloadBenchmark() implements BenchmarkCase {

    private static final int CALLERS = 256;
    private static final int ROUNDS = 3;
    private static final int SLICES = 3;
    private static final double TWICE = 2;
    private static final Duration FILLED = Duration.ofSeconds(1);

    @Override
    public BenchmarkTitle title() {
        return BenchmarkTitle.throughput(
                "gateway-overload", "gateway, completed at twice the load that it takes ÷ at that load", 0.80);
    }

    @Override
    public BenchmarkResult measure(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception {
        try (var service = new BareUpstreamServer();
                var gateway = new GatewaySubprocess(service.url(), lab.freshDatabase());
                var side = new HttpRequestWorkload(
                                "protected",
                                gateway.port(),
                                GatewaySubprocess.PROTECTED,
                                SpringEndpointBenchmark::newKey)
                        .with(GatewaySubprocess.TENANT + ": tenant")) {
            var time = lab.scale().slice().multipliedBy(SLICES);
            var capacity = new ClosedLoopLoad(CALLERS, lab.scale().lead(), time);
            capacity.on(side);
            var twice = new ArrayList<Double>();
            double generatorAtCapacity = 0;
            double generatorAtTwice = 0;
            for (int round = 0; round < ROUNDS; round++) {
                meter.at(round, ROUNDS, "round " + (round + 1) + " of " + ROUNDS);
                long began = System.nanoTime();
                long cpu = processCpu();
                double most = capacity.on(side).perSecond();
                generatorAtCapacity = Math.max(generatorAtCapacity, share(cpu, began));
                began = System.nanoTime();
                cpu = processCpu();
                twice.add(new OpenLoopLoad(most * TWICE, FILLED, time).on(side).succeeded() / most);
                generatorAtTwice = Math.max(generatorAtTwice, share(cpu, began));
            }
            return new BenchmarkResult(
                    title(),
                    QuartileSpread.of(twice),
                    ROUNDS,
                    List.of(
                            SecondaryMeasurement.of("generator and upstream at capacity", generatorAtCapacity, "CPUs"),
                            SecondaryMeasurement.of("and at twice", generatorAtTwice, "CPUs")),
                    List.of());
        }
    }

    private static long processCpu() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                .getProcessCpuTime();
    }

    private static double share(long cpuBefore, long began) {
        return (processCpu() - cpuBefore) / (double) (System.nanoTime() - began);
    }
}
