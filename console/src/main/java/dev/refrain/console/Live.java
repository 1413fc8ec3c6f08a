package dev.refrain.console;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.refrain.key.RecordId;
import dev.refrain.observe.Event;
import dev.refrain.observe.Listener;
import dev.refrain.observe.Watch;
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
public final class Live implements Listener {

    /** What is counted. */
    public enum Count {
        FIRST("First runs", "ran for the first time"),
        REPLAYED("Replayed", "were given the stored answer"),
        WAITED("Waited", "waited for the one that ran"),
        CONFLICT("Conflicts", "met one in progress"),
        MISMATCH("Mismatches", "brought another request under a used key"),
        ATTENTION("Unknown outcome", "met a record that waits for a decision"),
        STORE_FAILED("Store failures", "calls failed"),
        DELIVERED("Delivered", "messages were delivered"),
        PUT_OFF("Put off", "deliveries failed and are tried again"),
        DEAD("Given up", "messages became dead letters");

        static final Set<Count> OF_THE_OUTBOX = Collections.unmodifiableSet(EnumSet.of(DELIVERED, PUT_OFF, DEAD));
        static final Set<Count> OF_KEYS =
                Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.copyOf(OF_THE_OUTBOX)));

        private final String title;
        private final String meaning;

        Count(String title, String meaning) {
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
    private final Map<Count, Series> counts = new EnumMap<>(Count.class);
    private final Series storeMicros;
    private final Series storeTrips;
    private final Cache<RecordId, Sightings> seen =
            Caffeine.newBuilder().maximumSize(RECORDS).build();

    public Live(InstantSource clock) {
        this.clock = clock;
        for (var count : Count.values()) {
            counts.put(count, new Series(clock));
        }
        storeMicros = new Series(clock);
        storeTrips = new Series(clock);
    }

    @Override
    public void onEvent(Event event) {
        switch (event) {
            case Event.Claimed claimed -> add(counted(claimed.result()));
            case Event.Waited waited -> add(Count.WAITED);
            case Event.StoreFailed failed -> add(Count.STORE_FAILED);
            case Event.BatchSent sent -> {
                storeMicros.add(sent.took().toNanos() / 1_000);
                storeTrips.add(1);
            }
            case Event.Delivered e -> add(Count.DELIVERED);
            case Event.PutOff e -> add(Count.PUT_OFF);
            case Event.DeadLettered e -> add(Count.DEAD);
            case Event.Passed e -> saw(e.id(), phase(e));
            case Event.TakenUp e -> saw(e.id(), "taken up without its caller, attempt " + e.attempt());
            case Event.AttemptFailed e -> saw(e.id(), "attempt " + e.attempt() + " without its caller failed");
            case Event.Resumed e -> saw(e.id(), "claimed again, with fence " + e.fence());
            case Event.Completed e -> saw(e.id(), "completed after " + Times.brief(e.ran()));
            case Event.Released e -> saw(e.id(), "released after " + Times.brief(e.ran()));
            case Event.OutcomeNotKept e -> saw(e.id(), "answer not kept: " + e.reason());
            case Event.FencedOut e -> saw(e.id(), "its runner lost the claim with fence " + e.fence());
            case Event.Overran e -> saw(e.id(), "runs too long: its lease is not renewed any more");
            case Event.OutcomeUnknown e -> saw(e.id(), "outcome neither stored nor read back");
            case Event.Resolved e -> saw(e.id(), "resolved here: " + e.verdict());
            default -> {
                // Not shown.
            }
        }
    }

    /** Follows a call only to count its replay: a replay writes nothing, so nobody else can. */
    @Override
    public Watch onCall(String operation) {
        return new Watch() {
            @Override
            public Here openScope() {
                return () -> {};
            }

            @Override
            public void onEnd(End end, Optional<RecordId> record) {
                if (end == End.REPLAYED) {
                    record.ifPresent(id -> sightings(id).replayed(clock.instant()));
                }
            }

            @Override
            public void onFailure(Throwable failure) {}
        };
    }

    Series of(Count count) {
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

    Optional<Sightings> of(RecordId id) {
        return Optional.ofNullable(seen.getIfPresent(id));
    }

    Instant now() {
        return clock.instant();
    }

    private static String phase(Event.Passed passed) {
        return passed.mayHaveSent()
                ? "came to " + passed.point() + ", about to call another system"
                : "came to " + passed.point();
    }

    private static Count counted(Event.Result result) {
        return switch (result) {
            case ACQUIRED -> Count.FIRST;
            case REPLAY, REPLAY_FROM_CACHE -> Count.REPLAYED;
            case IN_PROGRESS -> Count.CONFLICT;
            case MISMATCH -> Count.MISMATCH;
            case ATTENTION -> Count.ATTENTION;
        };
    }

    private void add(Count count) {
        of(count).add(1);
    }

    private void saw(RecordId id, String what) {
        sightings(id).add(clock.instant(), what);
    }

    private Sightings sightings(RecordId id) {
        return seen.get(id, fresh -> new Sightings());
    }
}
