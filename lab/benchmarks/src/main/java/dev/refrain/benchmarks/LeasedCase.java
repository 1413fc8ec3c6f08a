package dev.refrain.benchmarks;

/** Claims and completions in batches around the work, against the work alone. */
record LeasedCase(Title title, int callers) implements Case {

    static Case with128Callers() {
        return new LeasedCase(
                Title.throughput("leased", "leased ÷ unprotected, 128 callers on 16 connections", 0.70), 128);
    }

    static Case with32Callers() {
        return new LeasedCase(
                Title.throughput("leased-32", "leased ÷ unprotected, 32 callers on 16 connections", 0.50), 32);
    }

    @Override
    public Result measure(Lab lab, Meter meter) throws Exception {
        String url = lab.freshDatabase();
        try (var leased = new LeasedSide(url);
                var unprotected = new UnprotectedSide(url)) {
            var compared = lab.pairs(meter).compare(leased, unprotected, callers);
            return title.reached(compared, leased.readings());
        }
    }
}
