package dev.refrain.benchmarks;

import java.util.List;

/** One measurement, which is one row of the table. */
interface BenchmarkCase {

    BenchmarkTitle title();

    /** Returns whether this measurement takes minutes, so that a quick run leaves it out. */
    default boolean isLong() {
        return false;
    }

    BenchmarkResult measure(BenchmarkEnvironment lab, CaseProgressListener meter) throws Exception;

    /** Returns all measurements in the order of the table. */
    static List<BenchmarkCase> all() {
        return List.of(
                new TransactionalBenchmark(),
                LeasedBenchmark.with128Callers(),
                LeasedBenchmark.with32Callers(),
                new LeasedVsNaiveBenchmark(),
                ReplayBenchmark.throughTheBatcher(),
                ReplayBenchmark.cached(),
                new TableGrowthBenchmark(),
                new ReaperBenchmark(),
                new SqliteBenchmark(),
                new WaiterMemoryBenchmark(),
                new LoneCallerBenchmark(),
                new SpringEndpointBenchmark(),
                new SpringReplayBenchmark(),
                new FlowBenchmark(),
                new CompleterBenchmark(),
                new OutboxBenchmark(),
                new GatewayBenchmark(),
                new GatewayReplayBenchmark(),
                new GatewayWaiterBenchmark());
    }
}
