package dev.refrain.demo;

import dev.refrain.store.RecordView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** History of a key as the shop's store knows it, one line per fact. */
record KeyHistory(List<String> lines) {

    static final KeyHistory NONE = new KeyHistory(List.of());

    static KeyHistory of(RecordView record) {
        var times = record.times();
        var lines = new ArrayList<String>();
        lines.add(record.state() + ", claimed "
                + (record.claim().fence() == 1 ? "once" : record.claim().fence() + " times"));
        lines.add("0.000 s first claimed");
        record.recoveryPoint().ifPresent(point -> lines.add("reached recovery point " + point));
        times.completed().ifPresent(at -> lines.add(seconds(Duration.between(times.claimed(), at)) + " completed"));
        record.attention().ifPresent(waiting -> lines.add("in ATTENTION: " + waiting.reason()));
        return new KeyHistory(List.copyOf(lines));
    }

    private static String seconds(Duration duration) {
        return "%d.%03d s".formatted(duration.toSeconds(), duration.toMillisPart());
    }
}
