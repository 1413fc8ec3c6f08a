package dev.refrain.benchmarks;

import java.util.List;

/** A replay by a gateway against a request that it passes on. */
record GatewayReplayBenchmark() implements BenchmarkCase {

    @Override
    public BenchmarkTitle title() {
        return BenchmarkTitle.throughput("gateway-replay", "replays by the gateway ÷ the same proxy unprotected", 0.90);
    }

    @Override
    public BenchmarkResult measure(BenchmarkEnvironment lab, CaseProgressListener meter) throws Exception {
        try (var gateway = GatewayWithUpstream.on(lab.freshDatabase())) {
            var compared = HttpReplayComparison.compared(
                    lab.pairs(meter), gateway.port(), GatewayWithUpstream.PROTECTED, GatewayWithUpstream.UNPROTECTED);
            return title().reached(compared, List.of());
        }
    }
}
