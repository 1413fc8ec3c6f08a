package dev.refrain.benchmarks;

import java.util.List;

/** An order in three phases with a call between them, against the same written by hand. */
final class FlowCase implements Case {

    private static final int CALLERS = 128;

    @Override
    public Title title() {
        return Title.throughput("flow", "orders flow ÷ the same statements and commits by hand", 0.85);
    }

    @Override
    public Result measure(Lab lab, Meter meter) throws Exception {
        String url = lab.freshDatabase();
        try (var flow = new FlowSide(url);
                var byHand = new HandWrittenFlowSide(url)) {
            return title().reached(lab.pairs(meter).compare(flow, byHand, CALLERS), List.of());
        }
    }
}
