package dev.refrain.console;

import dev.refrain.store.AuditEntry;
import dev.refrain.store.RecordView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A record's story, as far as it is known: from the store, from the trail, and from what this instance saw. */
final class KeyTimelinePanel {

    /** @param source who knows it */
    private record TimelineEntry(Instant at, String source, String what) {}

    private KeyTimelinePanel() {}

    static SafeHtml of(RecordView record, List<AuditEntry> trail, Optional<RecentRecordEvents> seen) {
        var entries = new ArrayList<TimelineEntry>();
        var times = record.times();
        entries.add(new TimelineEntry(times.claimed(), "store", "claimed for the first time"));
        times.completed().ifPresent(at -> entries.add(new TimelineEntry(at, "store", "completed")));
        record.attention()
                .ifPresent(
                        a -> entries.add(new TimelineEntry(a.since(), "store", "waits for a decision: " + a.reason())));
        if (record.leaseOver()) {
            entries.add(new TimelineEntry(
                    times.leaseUntil().orElseThrow(), "store", "its lease ended: the runner is gone or hangs"));
        }
        trail.forEach(
                e -> entries.add(new TimelineEntry(e.at(), "trail", e.action() + " by " + e.who() + ": " + e.why())));
        seen.ifPresent(s -> {
            s.all().forEach(one -> entries.add(new TimelineEntry(one.at(), "here", one.what())));
            if (s.replays() > 0) {
                entries.add(new TimelineEntry(
                        s.lastReplay(), "here", "replayed, " + s.replays() + " times in all, the last one then"));
            }
        });
        entries.sort(Comparator.comparing(TimelineEntry::at));
        return SafeHtml.concat(
                SafeHtml.element("ol")
                        .with("class", "timeline")
                        .content(entries.stream().map(KeyTimelinePanel::shown).toList()),
                SafeHtml.element("p")
                        .with("class", "small")
                        .content(
                                "“here” is what this instance saw since it started, on its own clock; other instances may have seen more. A"
                                        + " replay writes nothing, so only the instance that gave it knows."));
    }

    private static SafeHtml shown(TimelineEntry entry) {
        return SafeHtml.element("li")
                .content(
                        ConsoleTimeFormat.moment(entry.at()),
                        SafeHtml.element("span").with("class", "source").content(entry.source()),
                        SafeHtml.element("span").content(entry.what()));
    }
}
