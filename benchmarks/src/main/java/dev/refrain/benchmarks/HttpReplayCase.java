package dev.refrain.benchmarks;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** Through a whole Spring application: a replay against a handler that returns a constant. */
record HttpReplayCase() implements Case {

    private static final int KEYS = 2_000;

    @Override
    public Title title() {
        return Title.throughput("http-replay", "replay ÷ Spring endpoint that returns a constant", 0.80);
    }

    @Override
    public Result measure(Lab lab, Meter meter) throws Exception {
        var used = Stream.generate(HttpCase::newKey).limit(KEYS).toList();
        var next = used.iterator();
        try (var shop = WebShop.on(lab.freshDatabase())) {
            try (var first = new HttpSide("first", shop, "/protected", next::next)) {
                for (int i = 0; i < KEYS; i++) {
                    first.once();
                }
            }
            try (var again = new HttpSide(
                            "replay",
                            shop,
                            "/protected",
                            () -> used.get(ThreadLocalRandom.current().nextInt(KEYS)));
                    var constant = new HttpSide("constant", shop, "/constant", HttpCase::newKey)) {
                return title().reached(lab.pairs(meter).compare(again, constant, HttpCase.CALLERS), List.of());
            }
        }
    }
}
