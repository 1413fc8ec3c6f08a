package dev.refrain.benchmarks;

/** Leased against what most libraries do. */
final class LeasedVsNaiveCase implements Case {

    private static final int CALLERS = 128;

    @Override
    public Title title() {
        return Title.throughput("leased-vs-naive", "leased ÷ SELECT, INSERT, work, UPDATE with a commit each", 2.8);
    }

    @Override
    public Result measure(Lab lab, Meter meter) throws Exception {
        String url = lab.freshDatabase();
        try (var leased = new LeasedSide(url);
                var naive = new NaiveSide(url)) {
            var compared = lab.pairs(meter).compare(leased, naive, CALLERS);
            return title().reached(compared, leased.readings());
        }
    }
}
