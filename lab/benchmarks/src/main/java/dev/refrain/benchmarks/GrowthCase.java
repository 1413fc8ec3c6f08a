package dev.refrain.benchmarks;

import dev.refrain.Settings;

/** Leased beside millions of older keys, against leased beside a few. Two databases on one server take turns. */
final class GrowthCase implements Case {

    private static final int CALLERS = 128;

    @Override
    public Title title() {
        return Title.throughput("growth", "leased at 5 million keys ÷ at 10 thousand", 0.75);
    }

    @Override
    public boolean isLong() {
        return true;
    }

    @Override
    public Result measure(Lab lab, Meter meter) throws Exception {
        String large = lab.freshDatabase();
        String small = lab.freshDatabase();
        var scale = lab.scale();
        try (var many = new LeasedSide("many keys", large, Settings.defaults());
                var few = new LeasedSide("few keys", small, Settings.defaults())) {
            Preload.alive().into(large, scale.manyKeys(), meter);
            Preload.alive().into(small, scale.fewKeys(), meter);
            lab.settle(large);
            lab.settle(small);
            return title().reached(lab.pairs(meter).compare(many, few, CALLERS), many.readings());
        }
    }
}
