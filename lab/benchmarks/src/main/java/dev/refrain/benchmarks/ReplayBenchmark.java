package dev.refrain.benchmarks;

import dev.refrain.OperationCall;
import dev.refrain.RefrainSettings;
import dev.refrain.RefrainSettings.CacheSettings;

/** Compares replays with one SELECT each. */
record ReplayBenchmark(BenchmarkTitle title, CacheSettings cache) implements BenchmarkCase {

    private static final int CALLERS = 128;

    static BenchmarkCase throughTheBatcher() {
        return new ReplayBenchmark(
                BenchmarkTitle.throughput(
                        "replay", "replay through the batcher, cache off ÷ one SELECT per replay", 1.5),
                CacheSettings.OFF);
    }

    static BenchmarkCase cached() {
        return new ReplayBenchmark(
                BenchmarkTitle.throughput("replay-cached", "replay from the cache ÷ one SELECT per replay", 20),
                CacheSettings.DEFAULT);
    }

    @Override
    public BenchmarkResult measure(BenchmarkEnvironment lab, CaseProgressListener meter) throws Exception {
        String url = lab.freshDatabase();
        OperationCall[] done = SampleTraffic.calls(lab.scale().fewKeys());
        try (var replays =
                        new ReplayWorkload(url, done, RefrainSettings.defaults().with(cache));
                var selects = new SelectReplayWorkload(url, done)) {
            replays.prepare(meter);
            selects.prepare(meter);
            lab.settle(url);
            return title.reached(lab.pairs(meter).compare(replays, selects, CALLERS), replays.readings());
        }
    }
}
