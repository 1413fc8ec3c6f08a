package dev.refrain.benchmarks;

import java.util.List;

/** Compares a protected with an unprotected route of the same gateway. */
record GatewayBenchmark() implements BenchmarkCase {

    @Override
    public BenchmarkTitle title() {
        return BenchmarkTitle.throughput("gateway", "protected first requests ÷ the same proxy unprotected", 0.52);
    }

    @Override
    public BenchmarkResult measure(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception {
        try (var gateway = GatewayWithUpstream.on(lab.freshDatabase());
                var guarded = new HttpRequestWorkload(
                        "protected", gateway.port(), GatewayWithUpstream.PROTECTED, SpringEndpointBenchmark::newKey);
                var open = new HttpRequestWorkload(
                        "unprotected",
                        gateway.port(),
                        GatewayWithUpstream.UNPROTECTED,
                        SpringEndpointBenchmark::newKey)) {
            return title().reached(lab.pairs(meter).compare(guarded, open, SpringEndpointBenchmark.CALLERS), List.of());
        }
    }
}
