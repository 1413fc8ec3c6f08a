package dev.refrain.console;

import dev.refrain.store.AuditEntry;
import dev.refrain.store.RecordView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A record's story, as far as it is known: from the store, from the trail, and from what this instance saw. */
final class Timeline {

    /** @param source who knows it */
    private record Entry(Instant at, String source, String what) {}

    private Timeline() {}

    static Html of(RecordView record, List<AuditEntry> trail, Optional<Sightings> seen) {
        var entries = new ArrayList<Entry>();
        var times = record.times();
        entries.add(new Entry(times.claimed(), "store", "claimed for the first time"));
        times.completed().ifPresent(at -> entries.add(new Entry(at, "store", "completed")));
        record.attention()
                .ifPresent(a -> entries.add(new Entry(a.since(), "store", "waits for a decision: " + a.reason())));
        if (record.leaseOver()) {
            entries.add(new Entry(
                    times.leaseUntil().orElseThrow(), "store", "its lease ended: the runner is gone or hangs"));
        }
        trail.forEach(e -> entries.add(new Entry(e.at(), "trail", e.action() + " by " + e.who() + ": " + e.why())));
        seen.ifPresent(s -> {
            s.all().forEach(one -> entries.add(new Entry(one.at(), "here", one.what())));
            if (s.replays() > 0) {
                entries.add(new Entry(
                        s.lastReplay(), "here", "replayed, " + s.replays() + " times in all, the last one then"));
            }
        });
        entries.sort(Comparator.comparing(Entry::at));
        return Html.concat(
                Html.element("ol")
                        .with("class", "timeline")
                        .content(entries.stream().map(Timeline::shown).toList()),
                Html.element("p")
                        .with("class", "small")
                        .content(
                                "“here” is what this instance saw since it started, on its own clock; other instances may have seen more. A"
                                        + " replay writes nothing, so only the instance that gave it knows."));
    }

    private static Html shown(Entry entry) {
        return Html.element("li")
                .content(
                        Times.moment(entry.at()),
                        Html.element("span").with("class", "source").content(entry.source()),
                        Html.element("span").content(entry.what()));
    }
}
