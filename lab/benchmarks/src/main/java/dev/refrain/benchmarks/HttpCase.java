package dev.refrain.benchmarks;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Through a whole Spring application: what the annotation costs a handler that inserts one row. */
record HttpCase() implements Case {

    static final int CALLERS = 64;

    @Override
    public Title title() {
        return Title.throughput("http", "protected ÷ unprotected Spring endpoint, both insert one row", 0.70);
    }

    @Override
    public Result measure(Lab lab, Meter meter) throws Exception {
        try (var shop = WebShop.on(lab.freshDatabase());
                var guarded = new HttpSide("protected", shop.port(), "/protected", HttpCase::newKey);
                var bare = new HttpSide("unprotected", shop.port(), "/unprotected", HttpCase::newKey)) {
            return title().reached(lab.pairs(meter).compare(guarded, bare, CALLERS), List.of());
        }
    }

    static String newKey() {
        var random = ThreadLocalRandom.current();
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }
}
