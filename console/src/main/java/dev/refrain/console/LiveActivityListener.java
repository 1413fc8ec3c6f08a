package dev.refrain.console;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.refrain.api.RecordId;
import dev.refrain.observe.CallObserver;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What this instance hears: how often each thing happened in the last ten minutes, and what was seen of single records. Its memory is
 * bounded: {@value #RECORDS} records, the latest of them, and a few lines for each. To be given to Refrain as its listener, or one of
 * them. Safe for use by many threads.
 */
public final class LiveActivityListener implements RefrainListener {

    /** What is counted. */
    public enum ActivityKind {
        FIRST("First runs", "ran for the first time"),
        REPLAYED("Replayed", "were given the stored answer"),
        WAITED("Waited", "waited for the one that ran"),
        CONFLICT("Conflicts", "met one in progress"),
        MISMATCH("Mismatches", "brought another request under a used key"),
        ATTENTION("Unknown outcome", "met a record that waits for a decision"),
        STORE_FAILED("Store failures", "calls failed"),
        DELIVERED("Delivered", "messages were delivered"),
        PUT_OFF("Put off", "deliveries failed and are tried again"),
        DEAD("Dead letters", "messages became dead letters");

        static final Set<ActivityKind> OF_THE_OUTBOX =
                Collections.unmodifiableSet(EnumSet.of(DELIVERED, PUT_OFF, DEAD));
        static final Set<ActivityKind> OF_KEYS =
                Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.copyOf(OF_THE_OUTBOX)));

        private final String title;
        private final String meaning;

        ActivityKind(String title, String meaning) {
            this.title = title;
            this.meaning = meaning;
        }

        String title() {
            return title;
        }

        String meaning() {
            return meaning;
        }
    }

    static final int RECORDS = 10_000;

    private final InstantSource clock;
    private final Map<ActivityKind, RollingTimeSeries> counts = new EnumMap<>(ActivityKind.class);
    private final RollingTimeSeries storeMicros;
    private final RollingTimeSeries storeTrips;
    private final Cache<RecordId, RecentRecordEvents> seen =
            Caffeine.newBuilder().maximumSize(RECORDS).build();

    public LiveActivityListener(InstantSource clock) {
        this.clock = clock;
        for (var count : ActivityKind.values()) {
            counts.put(count, new RollingTimeSeries(clock));
        }
        storeMicros = new RollingTimeSeries(clock);
        storeTrips = new RollingTimeSeries(clock);
    }

    @Override
    public void onEvent(RefrainEvent event) {
        switch (event) {
            case RefrainEvent.Claimed claimed -> add(counted(claimed.result()));
            case RefrainEvent.Waited waited -> add(ActivityKind.WAITED);
            case RefrainEvent.StoreFailed failed -> add(ActivityKind.STORE_FAILED);
            case RefrainEvent.BatchSent sent -> {
                storeMicros.add(sent.took().toNanos() / 1_000);
                storeTrips.add(1);
            }
            case RefrainEvent.Delivered e -> add(ActivityKind.DELIVERED);
            case RefrainEvent.DeliveryDelayed e -> add(ActivityKind.PUT_OFF);
            case RefrainEvent.DeadLettered e -> add(ActivityKind.DEAD);
            case RefrainEvent.CheckpointCommitted e -> saw(e.id(), phase(e));
            case RefrainEvent.CompletionAttempted e ->
                saw(e.id(), "taken up without its caller, attempt " + e.attempt());
            case RefrainEvent.AttemptFailed e -> saw(e.id(), "attempt " + e.attempt() + " without its caller failed");
            case RefrainEvent.Resumed e -> saw(e.id(), "claimed again, with fence " + e.fence());
            case RefrainEvent.Completed e -> saw(e.id(), "completed after " + ConsoleTimeFormat.brief(e.ran()));
            case RefrainEvent.Released e -> saw(e.id(), "released after " + ConsoleTimeFormat.brief(e.ran()));
            case RefrainEvent.OutcomeNotKept e -> saw(e.id(), "answer not kept: " + e.reason());
            case RefrainEvent.FencedOut e -> saw(e.id(), "its runner lost the claim with fence " + e.fence());
            case RefrainEvent.MaxRunTimeExceeded e -> saw(e.id(), "runs too long: its lease is not renewed any more");
            case RefrainEvent.OutcomeUnknown e -> saw(e.id(), "outcome neither stored nor read back");
            case RefrainEvent.Resolved e -> saw(e.id(), "resolved here: " + e.verdict());
            default -> {
                // Not shown.
            }
        }
    }

    /** Follows a call only to count its replay: a replay writes nothing, so nobody else can. */
    @Override
    public CallObserver onCall(String operation) {
        return new CallObserver() {
            @Override
            public ThreadScope openScope() {
                return () -> {};
            }

            @Override
            public void onEnd(CallEnd end, Optional<RecordId> record) {
                if (end == CallEnd.REPLAYED) {
                    record.ifPresent(id -> sightings(id).replayed(clock.instant()));
                }
            }

            @Override
            public void onFailure(Throwable failure) {}
        };
    }

    RollingTimeSeries of(ActivityKind count) {
        return counts.getOrDefault(count, storeTrips);
    }

    /** The mean time of a trip to the store in milliseconds, one value for each step of time, the latest last. */
    List<Double> storeMillis() {
        var micros = storeMicros.values();
        var trips = storeTrips.values();
        return IntStream.range(0, micros.size())
                .mapToObj(i -> trips.get(i) == 0 ? 0d : micros.get(i) / 1_000d / trips.get(i))
                .toList();
    }

    /** The mean of the last minute. */
    double storeMillisLastMinute() {
        return storeMicros.lastMinute() / 1_000d / Math.max(1, storeTrips.lastMinute());
    }

    Optional<RecentRecordEvents> of(RecordId id) {
        return Optional.ofNullable(seen.getIfPresent(id));
    }

    Instant now() {
        return clock.instant();
    }

    private static String phase(RefrainEvent.CheckpointCommitted passed) {
        return passed.mayHaveSent()
                ? "came to " + passed.point() + ", about to call another system"
                : "came to " + passed.point();
    }

    private static ActivityKind counted(RefrainEvent.ClaimResult result) {
        return switch (result) {
            case ACQUIRED -> ActivityKind.FIRST;
            case REPLAY, REPLAY_FROM_CACHE -> ActivityKind.REPLAYED;
            case IN_PROGRESS -> ActivityKind.CONFLICT;
            case MISMATCH -> ActivityKind.MISMATCH;
            case ATTENTION -> ActivityKind.ATTENTION;
        };
    }

    private void add(ActivityKind count) {
        of(count).add(1);
    }

    private void saw(RecordId id, String what) {
        sightings(id).add(clock.instant(), what);
    }

    private RecentRecordEvents sightings(RecordId id) {
        return seen.get(id, fresh -> new RecentRecordEvents());
    }
}
