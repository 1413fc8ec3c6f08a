package dev.refrain.benchmarks;

import dev.refrain.RefrainSettings;

/** Compares leased operations beside millions of older keys with leased operations beside a few. Two databases on one server take turns. */
final class TableGrowthBenchmark implements BenchmarkCase {

    private static final int CALLERS = 128;

    @Override
    public BenchmarkTitle title() {
        return BenchmarkTitle.throughput("growth", "leased at 5 million keys ÷ at 10 thousand", 0.75);
    }

    @Override
    public boolean isLong() {
        return true;
    }

    @Override
    public BenchmarkResult measure(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception {
        String large = lab.freshDatabase();
        String small = lab.freshDatabase();
        var scale = lab.scale();
        try (var many = new LeasedWorkload("many keys", large, RefrainSettings.defaults());
                var few = new LeasedWorkload("few keys", small, RefrainSettings.defaults())) {
            RecordPreloader.alive().into(large, scale.manyKeys(), meter);
            RecordPreloader.alive().into(small, scale.fewKeys(), meter);
            lab.settle(large);
            lab.settle(small);
            return title().reached(lab.pairs(meter).compare(many, few, CALLERS), many.readings());
        }
    }
}
