package dev.refrain.benchmarks;

import java.util.List;

/** Compares an order flow of three phases and a call with the same written by hand. */
final class FlowBenchmark implements BenchmarkCase {

    private static final int CALLERS = 128;

    @Override
    public BenchmarkTitle title() {
        return BenchmarkTitle.throughput("flow", "orders flow ÷ the same statements and commits by hand", 0.85);
    }

    @Override
    public BenchmarkResult measure(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception {
        String url = lab.freshDatabase();
        try (var flow = new FlowWorkload(url);
                var byHand = new HandWrittenFlowWorkload(url)) {
            return title().reached(lab.pairs(meter).compare(flow, byHand, CALLERS), List.of());
        }
    }
}
