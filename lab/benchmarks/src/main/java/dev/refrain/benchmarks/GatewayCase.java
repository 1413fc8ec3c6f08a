package dev.refrain.benchmarks;

import java.util.List;

/** What protection costs a proxy: the same gateway, a route that is protected and one that is not. */
record GatewayCase() implements Case {

    @Override
    public Title title() {
        return Title.throughput("gateway", "protected first requests ÷ the same proxy unprotected", 0.35);
    }

    @Override
    public Result measure(Lab lab, Meter meter) throws Exception {
        try (var gateway = GatewayPair.on(lab.freshDatabase());
                var guarded = new HttpSide("protected", gateway.port(), GatewayPair.PROTECTED, HttpCase::newKey);
                var open = new HttpSide("unprotected", gateway.port(), GatewayPair.UNPROTECTED, HttpCase::newKey)) {
            return title().reached(lab.pairs(meter).compare(guarded, open, HttpCase.CALLERS), List.of());
        }
    }
}
