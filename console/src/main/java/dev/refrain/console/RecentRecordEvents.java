package dev.refrain.console;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;

/** Recent events of one record, as this instance saw them, and the number of its replays. Thread-safe. */
final class RecentRecordEvents {

    private static final int MAX_EVENTS = 20;

    /** Event of a record. */
    record RecordEvent(Instant at, String what) {}

    private final ArrayDeque<RecordEvent> events = new ArrayDeque<>();
    private long replays;
    private Instant lastReplay = Instant.EPOCH;

    synchronized void add(Instant at, String what) {
        if (events.size() == MAX_EVENTS) {
            events.removeFirst();
        }
        events.add(new RecordEvent(at, what));
    }

    synchronized void replayed(Instant at) {
        replays++;
        lastReplay = at;
    }

    synchronized List<RecordEvent> all() {
        return List.copyOf(events);
    }

    synchronized long replays() {
        return replays;
    }

    synchronized Instant lastReplay() {
        return lastReplay;
    }
}
