package dev.refrain.benchmarks;

import java.util.List;

/** One measurement, which is one row of the table. */
interface BenchmarkCase {

    BenchmarkTitle title();

    /** Returns whether this measurement takes minutes, so that a quick run leaves it out. */
    default boolean isLong() {
        return false;
    }

    BenchmarkResult measure(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception;

    /** Returns all measurements in the order of the table. */
    static List<BenchmarkCase> all() {
        return List.of(
                TransactionalBenchmark.with128Callers(),
                TransactionalBenchmark.with32Callers(),
                TransactionalBenchmark.with8Callers(),
                TransactionalBenchmark.withOneCaller(),
                TransactionalVsHandBenchmark.with("transactional-vs-hand", 128),
                TransactionalVsHandBenchmark.with("transactional-vs-hand-8", 8),
                LeasedBenchmark.with128Callers(),
                LeasedBenchmark.with32Callers(),
                LeasedBenchmark.with8Callers(),
                LeasedBenchmark.withOneCaller(),
                LeasedBenchmark.holding(),
                LeasedBenchmark.holdingRequests(),
                new LeasedVsNaiveBenchmark(),
                ReplayBenchmark.throughTheBatcher(),
                ReplayBenchmark.with8Callers(),
                ReplayBenchmark.withOneCaller(),
                ReplayBenchmark.transactional(),
                ReplayBenchmark.transactionalWith8Callers(),
                ReplayBenchmark.cached(),
                OpenLoopBenchmark.transactional(),
                OpenLoopBenchmark.leased(),
                StorageBenchmark.transactional(),
                StorageBenchmark.leased(),
                OverloadBenchmark.leased(),
                OverloadBenchmark.transactional(),
                new TableGrowthBenchmark(),
                new ReaperBenchmark(),
                new SqliteBenchmark(),
                new WaiterMemoryBenchmark(),
                new WakeupBenchmark(),
                new LoneCallerBenchmark(),
                SpringEndpointBenchmark.with64Callers(),
                SpringEndpointBenchmark.with8Callers(),
                new SpringReplayBenchmark(),
                new FlowBenchmark(),
                new CompleterBenchmark(),
                new OutboxBenchmark(),
                OutboxRateBenchmark.with8Callers(),
                OutboxRateBenchmark.withOneCaller(),
                new OutboxLatencyBenchmark(),
                new GatewayBenchmark(),
                new GatewayReplayBenchmark(),
                new GatewayWaiterBenchmark(),
                new GatewayOverloadBenchmark());
    }
}
