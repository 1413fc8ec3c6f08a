package dev.refrain.benchmarks;

import java.util.List;

/** A replay by a gateway against a request that it passes on. */
record GatewayReplayCase() implements Case {

    @Override
    public Title title() {
        return Title.throughput("gateway-replay", "replays by the gateway ÷ the same proxy unprotected", 0.90);
    }

    @Override
    public Result measure(Lab lab, Meter meter) throws Exception {
        try (var gateway = GatewayPair.on(lab.freshDatabase())) {
            var compared =
                    Replays.compared(lab.pairs(meter), gateway.port(), GatewayPair.PROTECTED, GatewayPair.UNPROTECTED);
            return title().reached(compared, List.of());
        }
    }
}
