package dev.refrain.trials.simulation.world;

import dev.refrain.api.KeyHash;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.Store;
import dev.refrain.trials.simulation.law.InvariantChecker;
import dev.refrain.trials.simulation.law.SimulationEvent;
import dev.refrain.trials.simulation.law.StoreAction;
import dev.refrain.trials.simulation.law.TimedRecordSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Compares every record before and after each action, and reports the change to the rules. */
final class RecordChangeObserver {

    private final Store store;
    private final SimulatedStoreClock clock;
    private final InvariantChecker law;
    private final List<ScopedKey> identities = new ArrayList<>();
    private final Map<KeyHash, ScopedKey> byLookup = new HashMap<>();
    private final Map<ScopedKey, TimedRecordSnapshot> last = new HashMap<>();

    RecordChangeObserver(Store store, SimulatedStoreClock clock, InvariantChecker law, List<ScopedKey> identities) {
        this.store = store;
        this.clock = clock;
        this.law = law;
        identities.forEach(this::register);
    }

    /** Returns the keys that were asked for, in the order in which they were seen first. */
    List<ScopedKey> identities() {
        return List.copyOf(identities);
    }

    /** Keeps an eye on a key that the plan did not name, such as that of a job. */
    private void register(ScopedKey identity) {
        if (byLookup.putIfAbsent(identity.hash(), identity) == null) {
            identities.add(identity);
        }
    }

    ScopedKey identity(KeyHash lookup) {
        var identity = byLookup.get(lookup);
        if (identity == null) {
            throw new IllegalArgumentException("Nobody in this world asked for " + lookup);
        }
        return identity;
    }

    /** Looks at all records after a step of the store's clock, by which what had expired may be there again. */
    void afterClockStep() {
        identities.forEach(this::remember);
    }

    private Optional<TimedRecordSnapshot> remember(ScopedKey identity) {
        var now = look(identity);
        now.ifPresentOrElse(seen -> last.put(identity, seen), () -> last.remove(identity));
        return now;
    }

    /** Returns the record now. A change since the last look that no action made is reported. */
    Optional<TimedRecordSnapshot> before(String process, ScopedKey identity) {
        register(identity);
        var now = look(identity);
        judge(process, identity, Optional.ofNullable(last.get(identity)), now, new StoreAction.Read());
        return now;
    }

    void after(String process, ScopedKey identity, Optional<TimedRecordSnapshot> before, StoreAction deed) {
        judge(process, identity, before, remember(identity), deed);
    }

    /** Compares all records after an action that does not name those it changed. */
    void afterAll(String process, StoreAction deed) {
        identities.forEach(identity -> after(process, identity, Optional.ofNullable(last.get(identity)), deed));
    }

    /** Reports everything that a sweep has left as it is, which said that there is no more. */
    void afterSweep(String process, Duration grace) {
        var left =
                identities.stream().flatMap(identity -> look(identity).stream()).toList();
        law.check(new SimulationEvent.SweepEnded(process, grace, left, clock.instant()));
    }

    void batch(String process, List<KeyHash> lookups) {
        law.check(new SimulationEvent.Batch(process, lookups));
    }

    Optional<TimedRecordSnapshot> look(ScopedKey identity) {
        return store.find(List.of(identity)).getFirst().map(record -> TimedRecordSnapshot.at(clock.instant(), record));
    }

    private void judge(
            String process,
            ScopedKey identity,
            Optional<TimedRecordSnapshot> before,
            Optional<TimedRecordSnapshot> after,
            StoreAction deed) {
        law.check(new SimulationEvent.Step(process, identity, before, after, deed, clock.instant()));
    }
}
