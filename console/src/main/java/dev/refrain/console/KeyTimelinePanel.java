package dev.refrain.console;

import dev.refrain.store.AuditEntry;
import dev.refrain.store.RecordView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Panel with a record's timeline, merged from the store, the audit trail and the events this instance saw. */
final class KeyTimelinePanel {

    /**
     * Entry of the timeline.
     *
     * @param source where the entry comes from
     */
    private record TimelineEntry(Instant at, String source, String what) {}

    private KeyTimelinePanel() {}

    static SafeHtml of(RecordView record, List<AuditEntry> trail, Optional<RecentRecordEvents> seen) {
        var entries = new ArrayList<TimelineEntry>();
        var times = record.times();
        entries.add(new TimelineEntry(times.claimed(), "store", "first claimed"));
        times.completed().ifPresent(at -> entries.add(new TimelineEntry(at, "store", "completed")));
        record.attention()
                .ifPresent(a -> entries.add(new TimelineEntry(a.since(), "store", "needs attention: " + a.reason())));
        if (record.leaseOver()) {
            entries.add(new TimelineEntry(
                    times.leaseUntil().orElseThrow(), "store", "lease expired: the runner crashed or hangs"));
        }
        trail.forEach(
                e -> entries.add(new TimelineEntry(e.at(), "audit", e.action() + " by " + e.who() + ": " + e.why())));
        seen.ifPresent(s -> {
            s.all().forEach(one -> entries.add(new TimelineEntry(one.at(), "this instance", one.what())));
            if (s.replays() > 0) {
                entries.add(new TimelineEntry(
                        s.lastReplay(),
                        "this instance",
                        "replayed, " + s.replays() + " times in total; this is the latest"));
            }
        });
        entries.sort(Comparator.comparing(TimelineEntry::at));
        return SafeHtml.concat(
                SafeHtml.element("ol")
                        .with("class", "timeline")
                        .content(entries.stream().map(KeyTimelinePanel::render).toList()),
                SafeHtml.element("p")
                        .with("class", "small")
                        .content(
                                "“this instance” marks events that this instance saw since it started, by its own clock. Other "
                                        + "instances may have seen more: replays are not stored, so only the instance that served one knows of "
                                        + "it."));
    }

    private static SafeHtml render(TimelineEntry entry) {
        return SafeHtml.element("li")
                .content(
                        ConsoleTimeFormat.moment(entry.at()),
                        SafeHtml.element("span").with("class", "source").content(entry.source()),
                        SafeHtml.element("span").content(entry.what()));
    }
}
