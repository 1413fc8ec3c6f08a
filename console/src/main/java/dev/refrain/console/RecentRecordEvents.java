package dev.refrain.console;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;

/** What this instance saw of one record: the last few things, and how often it was replayed. Safe for use by many threads. */
final class RecentRecordEvents {

    private static final int KEPT = 20;

    /** Something that was seen. */
    record RecordEvent(Instant at, String what) {}

    private final ArrayDeque<RecordEvent> kept = new ArrayDeque<>();
    private long replays;
    private Instant lastReplay = Instant.EPOCH;

    synchronized void add(Instant at, String what) {
        if (kept.size() == KEPT) {
            kept.removeFirst();
        }
        kept.add(new RecordEvent(at, what));
    }

    synchronized void replayed(Instant at) {
        replays++;
        lastReplay = at;
    }

    synchronized List<RecordEvent> all() {
        return List.copyOf(kept);
    }

    synchronized long replays() {
        return replays;
    }

    synchronized Instant lastReplay() {
        return lastReplay;
    }
}
