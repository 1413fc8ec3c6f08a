package dev.refrain.benchmarks;

import java.util.List;

/** One row of the table: something that is promised, and how it is measured. */
interface BenchmarkCase {

    BenchmarkTitle title();

    /** Whether it takes minutes, and a quick run leaves it out. */
    default boolean isLong() {
        return false;
    }

    BenchmarkResult measure(BenchmarkEnvironment lab, CaseProgressListener meter) throws Exception;

    /** All of them, in the order of the table. */
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
