package dev.refrain.benchmarks;

import dev.refrain.OperationCall;
import dev.refrain.RefrainSettings;
import dev.refrain.RefrainSettings.CacheSettings;

/**
 * Compares replays with one SELECT each.
 *
 * @param isLong whether a quick run leaves it out
 */
record ReplayBenchmark(BenchmarkTitle title, int callers, CacheSettings cache, Workload workload, boolean isLong)
        implements BenchmarkCase {

    private static final int MANY = 128;
    private static final int FEW = 8;

    /** Opens the side that replays on a database. */
    @FunctionalInterface
    interface Workload {
        ReplayWorkload on(String url, OperationCall[] done, RefrainSettings settings) throws Exception;
    }

    static BenchmarkCase throughTheBatcher() {
        return leased("replay", MANY, 1.5, false);
    }

    static BenchmarkCase with8Callers() {
        return leased("replay-8", FEW, 0.8, false);
    }

    static BenchmarkCase withOneCaller() {
        return leased("replay-1", 1, 0.8, true);
    }

    static BenchmarkCase transactional() {
        return transactional("replay-transactional", MANY, 1.5);
    }

    static BenchmarkCase transactionalWith8Callers() {
        return transactional("replay-transactional-8", FEW, 0.8);
    }

    static BenchmarkCase cached() {
        return new ReplayBenchmark(
                BenchmarkTitle.throughput("replay-cached", "replay from the cache ÷ one SELECT per replay", 20),
                MANY,
                CacheSettings.DEFAULT,
                ReplayWorkload::leased,
                false);
    }

    private static BenchmarkCase leased(String name, int callers, double bar, boolean isLong) {
        return new ReplayBenchmark(
                BenchmarkTitle.throughput(
                        name,
                        "replay through the batcher, cache off ÷ one SELECT per replay, "
                                + BenchmarkTitle.callers(callers),
                        bar),
                callers,
                CacheSettings.OFF,
                ReplayWorkload::leased,
                isLong);
    }

    private static BenchmarkCase transactional(String name, int callers, double bar) {
        return new ReplayBenchmark(
                BenchmarkTitle.throughput(
                        name,
                        "replay of a transactional operation, cache off ÷ one SELECT per replay, "
                                + BenchmarkTitle.callers(callers),
                        bar),
                callers,
                CacheSettings.OFF,
                ReplayWorkload::transactional,
                false);
    }

    @Override
    public BenchmarkResult measure(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception {
        String url = lab.freshDatabase();
        OperationCall[] done = SampleTraffic.calls(lab.scale().fewKeys());
        try (var replays = workload.on(url, done, RefrainSettings.defaults().with(cache));
                var selects = new SelectReplayWorkload(url, done)) {
            replays.prepare(meter);
            selects.prepare(meter);
            lab.settle(url);
            return title.reached(lab.pairs(meter).compare(replays, selects, callers), replays.readings());
        }
    }
}
