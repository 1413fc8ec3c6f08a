package dev.refrain.trials.simulation.world;

import dev.refrain.api.KeyHash;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.Store;
import dev.refrain.trials.simulation.law.InvariantChecker;
import dev.refrain.trials.simulation.law.SimulationEvent;
import dev.refrain.trials.simulation.law.StoreAction;
import dev.refrain.trials.simulation.law.TimedRecordSnapshot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Compares every record before and after each action, and reports the change to the rules. */
final class RecordChangeObserver {

    private final Store store;
    private final SimulatedStoreClock clock;
    private final InvariantChecker law;
    private final List<ScopedKey> identities;
    private final Map<KeyHash, ScopedKey> byLookup = new HashMap<>();
    private final Map<ScopedKey, TimedRecordSnapshot> last = new HashMap<>();

    RecordChangeObserver(Store store, SimulatedStoreClock clock, InvariantChecker law, List<ScopedKey> identities) {
        this.store = store;
        this.clock = clock;
        this.law = law;
        this.identities = identities;
        identities.forEach(identity -> byLookup.put(identity.hash(), identity));
    }

    List<ScopedKey> identities() {
        return identities;
    }

    ScopedKey identity(KeyHash lookup) {
        var identity = byLookup.get(lookup);
        if (identity == null) {
            throw new IllegalArgumentException("Nobody in this world asked for " + lookup);
        }
        return identity;
    }

    /** Returns the record now. A change since the last look that no action made is reported. */
    Optional<TimedRecordSnapshot> before(String process, ScopedKey identity) {
        var now = look(identity);
        judge(process, identity, Optional.ofNullable(last.get(identity)), now, new StoreAction.Read());
        return now;
    }

    void after(String process, ScopedKey identity, Optional<TimedRecordSnapshot> before, StoreAction deed) {
        var now = look(identity);
        now.ifPresentOrElse(seen -> last.put(identity, seen), () -> last.remove(identity));
        judge(process, identity, before, now, deed);
    }

    /** Compares all records after an action that does not name those it changed. */
    void afterAll(String process, StoreAction deed) {
        identities.forEach(identity -> after(process, identity, Optional.ofNullable(last.get(identity)), deed));
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
