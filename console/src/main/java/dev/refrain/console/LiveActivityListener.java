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
 * Listener that feeds the console: counts events of the last ten minutes and remembers recent events of single records.
 * Memory is bounded to the latest {@value #RECORDS} records with a few events each. Register it with Refrain, alone or
 * with others. Thread-safe.
 */
public final class LiveActivityListener implements RefrainListener {

    /** Kind of event that the console counts and charts. */
    public enum ActivityKind {
        FIRST("First runs", "ran for the first time"),
        REPLAYED("Replayed", "got the stored response"),
        WAITED("Waited", "waited for a running request"),
        CONFLICT("Conflicts", "met a running request"),
        MISMATCH("Mismatches", "sent a different request under a used key"),
        ATTENTION("Attention", "met a key in ATTENTION"),
        STORE_FAILED("Store failures", "calls failed"),
        DELIVERED("Delivered", "messages delivered"),
        DELAYED("Delayed", "failed deliveries"),
        DEAD("Dead letters", "messages became dead letters");

        static final Set<ActivityKind> OUTBOX = Collections.unmodifiableSet(EnumSet.of(DELIVERED, DELAYED, DEAD));
        static final Set<ActivityKind> KEYS = Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.copyOf(OUTBOX)));

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
    private final Cache<RecordId, RecentRecordEvents> recentEvents =
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
            case RefrainEvent.Claimed claimed -> add(kindOf(claimed.result()));
            case RefrainEvent.Waited waited -> add(ActivityKind.WAITED);
            case RefrainEvent.StoreFailed failed -> add(ActivityKind.STORE_FAILED);
            case RefrainEvent.BatchSent sent -> {
                storeMicros.add(sent.took().toNanos() / 1_000);
                storeTrips.add(1);
            }
            case RefrainEvent.Delivered e -> add(ActivityKind.DELIVERED);
            case RefrainEvent.DeliveryDelayed e -> add(ActivityKind.DELAYED);
            case RefrainEvent.DeadLettered e -> add(ActivityKind.DEAD);
            case RefrainEvent.CheckpointCommitted e -> addEvent(e.id(), phase(e));
            case RefrainEvent.CompletionAttempted e ->
                addEvent(e.id(), "resumed by the completer, attempt " + e.attempt());
            case RefrainEvent.AttemptFailed e -> addEvent(e.id(), "completer attempt " + e.attempt() + " failed");
            case RefrainEvent.Resumed e -> addEvent(e.id(), "claimed again, fence " + e.fence());
            case RefrainEvent.Completed e -> addEvent(e.id(), "completed after " + ConsoleTimeFormat.brief(e.ran()));
            case RefrainEvent.Released e -> addEvent(e.id(), "released after " + ConsoleTimeFormat.brief(e.ran()));
            case RefrainEvent.OutcomeNotKept e -> addEvent(e.id(), "response not kept: " + e.reason());
            case RefrainEvent.FencedOut e -> addEvent(e.id(), "its runner lost the claim, fence " + e.fence());
            case RefrainEvent.MaxRunTimeExceeded e ->
                addEvent(e.id(), "exceeded its maximum run time; the lease is no longer renewed");
            case RefrainEvent.OutcomeUnknown e -> addEvent(e.id(), "outcome could neither be stored nor read back");
            case RefrainEvent.Resolved e -> addEvent(e.id(), "resolved by this instance: " + e.verdict());
            default -> {
                // Not shown in the console.
            }
        }
    }

    /** Observes calls only to count replays, which are not stored anywhere. */
    @Override
    public CallObserver onCall(String operation) {
        return new CallObserver() {
            @Override
            public ThreadScope openScope() {
                return () -> {};
            }

            @Override
            public void onReplay(RecordId record) {
                eventsOf(record).replayed(clock.instant());
            }

            @Override
            public void onEnd(CallEnd end) {}

            @Override
            public void onFailure(Throwable failure) {}
        };
    }

    RollingTimeSeries of(ActivityKind count) {
        return counts.getOrDefault(count, storeTrips);
    }

    /** Mean duration of a store round trip in milliseconds, one value per interval, latest last. */
    List<Double> storeMillis() {
        var micros = storeMicros.values();
        var trips = storeTrips.values();
        return IntStream.range(0, micros.size())
                .mapToObj(i -> trips.get(i) == 0 ? 0d : micros.get(i) / 1_000d / trips.get(i))
                .toList();
    }

    /** Mean duration of a store round trip in the last minute. */
    double storeMillisLastMinute() {
        return storeMicros.lastMinute() / 1_000d / Math.max(1, storeTrips.lastMinute());
    }

    Optional<RecentRecordEvents> of(RecordId id) {
        return Optional.ofNullable(recentEvents.getIfPresent(id));
    }

    Instant now() {
        return clock.instant();
    }

    private static String phase(RefrainEvent.CheckpointCommitted passed) {
        return passed.mayHaveSent()
                ? "reached " + passed.point() + ", about to call another system"
                : "reached " + passed.point();
    }

    private static ActivityKind kindOf(RefrainEvent.ClaimResult result) {
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

    private void addEvent(RecordId id, String what) {
        eventsOf(id).add(clock.instant(), what);
    }

    private RecentRecordEvents eventsOf(RecordId id) {
        return recentEvents.get(id, fresh -> new RecentRecordEvents());
    }
}
