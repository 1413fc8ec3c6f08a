package dev.refrain.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Measures two sides in turns: A B, B A, A B, … so that neither has the quieter half of the machine's time. */
final class Pairs {

    private static final int TURNS = 2;

    private final Scale scale;
    private final Meter meter;

    Pairs(Scale scale, Meter meter) {
        this.scale = scale;
        this.meter = meter;
    }

    Compared compare(Side first, Side second, int callers) throws Exception {
        return compare(first, second, new Load(callers, scale.lead(), scale.slice()), scale.pairs());
    }

    Compared compare(Side first, Side second, Load load, int pairs) throws Exception {
        warmUp(List.of(first, second), load.callers());
        var firsts = new ArrayList<Slice>();
        var seconds = new ArrayList<Slice>();
        for (int i = 0; i < pairs; i++) {
            if (i % 2 == 0) {
                firsts.add(load.on(first));
                seconds.add(load.on(second));
            } else {
                seconds.add(load.on(second));
                firsts.add(load.on(first));
            }
            meter.at(
                    i + 1,
                    pairs,
                    String.format(
                            Locale.ROOT,
                            "pair %d of %d, %.0f/s and %.0f/s",
                            i + 1,
                            pairs,
                            firsts.getLast().perSecond(),
                            seconds.getLast().perSecond()));
        }
        return new Compared(first.name(), firsts, second.name(), seconds);
    }

    /** Until the compiler, the connections and the database's plans are what they will be. */
    void warmUp(List<Side> sides, int callers) throws Exception {
        var turn = new Load(callers, scale.lead(), scale.warmUp().dividedBy(TURNS));
        for (int i = 1; i <= TURNS; i++) {
            meter.at(0, 1, "warming up, " + i + " of " + TURNS);
            for (var side : sides) {
                turn.on(side);
            }
        }
    }
}
