package dev.refrain.benchmarks;

import java.util.List;

/** Through a whole Spring application: a replay against a handler that returns a constant. */
record HttpReplayCase() implements Case {

    @Override
    public Title title() {
        return Title.throughput("http-replay", "replay ÷ Spring endpoint that returns a constant", 0.80);
    }

    @Override
    public Result measure(Lab lab, Meter meter) throws Exception {
        try (var shop = WebShop.on(lab.freshDatabase())) {
            return title().reached(
                            Replays.compared(lab.pairs(meter), shop.port(), "/protected", "/constant"), List.of());
        }
    }
}
