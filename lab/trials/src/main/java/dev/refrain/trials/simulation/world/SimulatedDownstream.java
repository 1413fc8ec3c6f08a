package dev.refrain.trials.simulation.world;

import dev.refrain.api.Downstream;
import dev.refrain.api.RecordId;
import dev.refrain.trials.simulation.law.InvariantChecker;
import dev.refrain.trials.simulation.law.SimulatedGuarantee;
import dev.refrain.trials.simulation.law.SimulationEvent;
import dev.refrain.trials.simulation.law.SimulationEvent.Acted;
import dev.refrain.trials.simulation.machine.SimulatedThreadGroup;
import dev.refrain.trials.simulation.machine.SimulationScheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Downstream with a ledger of its own: a bank for flows, a receiver of messages for relays. */
final class SimulatedDownstream {

    static final String DECLINED = "declined";

    /** Longer than any lease and any call: a sender that was undisturbed for this long sent in time. */
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(40);

    /** Longer than what began before a step of the store's clock may last. */
    private static final Duration UNEVEN = Duration.ofMinutes(6);

    private static final int ONE_DECLINED_OF = 6;

    /**
     * Traits of a downstream.
     *
     *
     * @param memory how long it remembers keys, if it does for a while
     * @param within how long a call of it may take
     */
    record DownstreamTraits(String name, SimulatedGuarantee offer, Acted.By by, Duration memory, Duration within) {

        /** Returns its declaration, which may be wrong. */
        <R> Downstream<R, String> downstream(SimulatedGuarantee declared, Downstream.Lookup<R, String> lookup) {
            return switch (declared) {
                case KEYS_FOR_EVER -> Downstream.honoursKeysForEver();
                case KEYS_FOR_A_WHILE -> Downstream.honoursKeys(memory);
                case LOOKUP -> Downstream.queryable(lookup);
                case NOTHING -> Downstream.notRetryable();
            };
        }
    }

    private record Entry(String answer, long at) {}

    private final DownstreamTraits nature;
    private final InvariantChecker law;
    private final SimulationScheduler scheduler;
    private final SimulatedStoreClock clock;
    private final Map<String, Entry> ledger = new HashMap<>();
    private final Map<String, Long> lastCalls = new HashMap<>();
    private final Set<String> undone = new HashSet<>();
    private int acted;

    SimulatedDownstream(
            DownstreamTraits nature, InvariantChecker law, SimulationScheduler scheduler, SimulatedStoreClock clock) {
        this.nature = nature;
        this.clock = clock;
        this.law = law;
        this.scheduler = scheduler;
    }

    DownstreamTraits nature() {
        return nature;
    }

    /** Sends a call to it. */
    String send(FaultyForeignLink line, SimulatedThreadGroup sender, RecordId about, String key) throws Exception {
        lastCalls.put(key, scheduler.now());
        return line.call(nature.name(), nature.within(), () -> act(sender, about, key));
    }

    private String act(SimulatedThreadGroup sender, RecordId about, String key) {
        if (undone.contains(key)) {
            return DECLINED;
        }
        var known = Optional.ofNullable(ledger.get(key)).filter(this::remembered);
        if (known.isPresent()) {
            return known.get().answer();
        }
        boolean declined = nature.by() == Acted.By.FLOW && Math.floorMod(key.hashCode(), ONE_DECLINED_OF) == 0;
        var answer = declined ? DECLINED : nature.name() + "-" + ++acted;
        ledger.put(key, new Entry(answer, scheduler.now()));
        if (!declined) {
            // A lease that ends early by the store's clock lets a call be looked up that is still on its way. Where
            // keys are honoured, that
            // does no harm, and ages hold whatever that clock does.
            boolean inTime = nature.offer() == SimulatedGuarantee.KEYS_FOR_A_WHILE || clock.evenFor(UNEVEN);
            law.check(new SimulationEvent.Acted(
                    nature.name(), nature.offer(), nature.by(), about, sender.smoothFor(LONG_ENOUGH) && inTime));
        }
        return answer;
    }

    /** Undoes what was sent under a key, and refuses it if it arrives later. */
    void undo(FaultyForeignLink line, RecordId about, String key) throws Exception {
        var unused = line.call("undo at " + nature.name(), nature.within(), () -> {
            if (undone.add(key)) {
                law.check(new SimulationEvent.Inserted(SimulationEvent.Inserted.UNDO + SimulatedSagas.CHARGE, about));
            }
            return key;
        });
    }

    /** Refuses what arrives under a key from now on. */
    void refuse(String key) {
        undone.add(key);
    }

    private boolean remembered(Entry entry) {
        return switch (nature.offer()) {
            case KEYS_FOR_EVER -> true;
            case KEYS_FOR_A_WHILE ->
                scheduler.now() - entry.at() < nature.memory().toNanos();
            case LOOKUP, NOTHING -> false;
        };
    }

    /** Looks up a call. */
    Optional<String> lookUp(FaultyForeignLink line, String key) throws Exception {
        return line.call("lookup at " + nature.name(), nature.within(), () -> find(key));
    }

    Optional<String> find(String key) {
        return Optional.ofNullable(ledger.get(key)).map(Entry::answer);
    }

    /** Returns whether no request under this key can still be on its way. */
    boolean isQuiet(String key) {
        var last = lastCalls.get(key);
        return last == null || scheduler.now() - last > nature.within().toNanos();
    }
}
