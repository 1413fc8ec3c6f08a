package dev.refrain.benchmarks;

import dev.refrain.Call;
import dev.refrain.Settings;
import dev.refrain.replay.OutcomeCache;

/** Retries of what is done, against one SELECT each. */
record ReplayCase(Title title, OutcomeCache.Settings cache) implements Case {

    private static final int CALLERS = 128;

    static Case throughTheBatcher() {
        return new ReplayCase(
                Title.throughput("replay", "replay through the batcher, cache off ÷ one SELECT per replay", 1.5),
                OutcomeCache.Settings.OFF);
    }

    static Case cached() {
        return new ReplayCase(
                Title.throughput("replay-cached", "replay from the cache ÷ one SELECT per replay", 20),
                OutcomeCache.Settings.DEFAULT);
    }

    @Override
    public Result measure(Lab lab, Meter meter) throws Exception {
        String url = lab.freshDatabase();
        Call[] done = Traffic.calls(lab.scale().fewKeys());
        try (var replays = new ReplaySide(url, done, Settings.defaults().with(cache));
                var selects = new SelectSide(url, done)) {
            replays.prepare(meter);
            selects.prepare(meter);
            lab.settle(url);
            return title.reached(lab.pairs(meter).compare(replays, selects, CALLERS), replays.readings());
        }
    }
}
