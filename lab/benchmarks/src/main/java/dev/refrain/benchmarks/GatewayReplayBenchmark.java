package dev.refrain.benchmarks;

import java.util.List;

/** Compares a replay by a gateway with a request that it forwards. */
record GatewayReplayBenchmark() implements BenchmarkCase {

    @Override
    public BenchmarkTitle title() {
        return BenchmarkTitle.throughput("gateway-replay", "replays by the gateway ÷ the same proxy unprotected", 0.90);
    }

    @Override
    public BenchmarkResult measure(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception {
        try (var gateway = GatewayWithUpstream.on(lab.freshDatabase())) {
            var compared = HttpReplayComparison.compared(
                    lab.pairs(meter), gateway.port(), GatewayWithUpstream.PROTECTED, GatewayWithUpstream.UNPROTECTED);
            return title().reached(compared, List.of());
        }
    }
}
