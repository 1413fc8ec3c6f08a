package dev.refrain.benchmarks;

import java.util.ArrayList;

/** Leased against what most libraries do. */
final class LeasedVsNaiveCase implements Case {

    private static final int CALLERS = 128;

    @Override
    public Title title() {
        return Title.throughput("leased-vs-naive", "leased ÷ SELECT, INSERT, work, UPDATE in a transaction each", 2.8);
    }

    @Override
    public Result measure(Lab lab, Meter meter) throws Exception {
        String url = lab.freshDatabase();
        try (var leased = new LeasedSide(url)) {
            Compared compared;
            try (var naive = NaiveSide.inTransactions(url)) {
                compared = lab.pairs(meter).compare(leased, naive, CALLERS);
            }
            var readings = new ArrayList<>(leased.readings());
            try (var autoCommitting = NaiveSide.autoCommitting(url)) {
                readings.add(against(autoCommitting, leased, lab, meter));
            }
            return title().reached(compared, readings);
        }
    }

    /** The same steps with fewer round trips. */
    private static Reading against(Side other, Side leased, Lab lab, Meter meter) throws Exception {
        var pairs = lab.scale().pairs() / 2;
        var load = new Load(CALLERS, lab.scale().lead(), lab.scale().slice());
        var ratio = lab.pairs(meter).compare(leased, other, load, pairs).ratio(Slice::perSecond);
        return Reading.of("÷ " + other.name(), ratio.median(), "");
    }
}
