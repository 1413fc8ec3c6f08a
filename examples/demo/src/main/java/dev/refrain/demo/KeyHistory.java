package dev.refrain.demo;

import dev.refrain.store.RecordView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What the shop's store knows of a key, in lines for people. */
record KeyHistory(List<String> lines) {

    static final KeyHistory NONE = new KeyHistory(List.of());

    static KeyHistory of(RecordView record) {
        var times = record.times();
        var lines = new ArrayList<String>();
        lines.add(record.state() + ", claimed "
                + (record.claim().fence() == 1 ? "once" : record.claim().fence() + " times"));
        lines.add("0.000 s claimed for the first time");
        record.recoveryPoint().ifPresent(point -> lines.add("reached the point " + point));
        times.completed().ifPresent(at -> lines.add(seconds(Duration.between(times.claimed(), at)) + " completed"));
        record.attention().ifPresent(waiting -> lines.add("waits for a decision: " + waiting.reason()));
        return new KeyHistory(List.copyOf(lines));
    }

    private static String seconds(Duration duration) {
        return "%d.%03d s".formatted(duration.toSeconds(), duration.toMillisPart());
    }
}
