package dev.refrain.trials.simulation.world;

import dev.refrain.flow.Downstream;
import dev.refrain.flow.Outgoing;
import dev.refrain.key.RecordId;
import dev.refrain.trials.simulation.law.Happening;
import dev.refrain.trials.simulation.law.Happening.Acted;
import dev.refrain.trials.simulation.law.Law;
import dev.refrain.trials.simulation.law.Offer;
import dev.refrain.trials.simulation.machine.Domain;
import dev.refrain.trials.simulation.machine.Scheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Another system with a ledger of its own: a bank for flows, a receiver of messages for relays. */
final class OtherSystem {

    static final String DECLINED = "declined";

    /** Longer than any lease and any call: who was not held up for so long sent in time. */
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(40);

    private static final int ONE_DECLINED_OF = 6;

    /**
     * What it is like.
     *
     * @param memory how long it remembers keys, if it does for a while
     * @param within how long a call of it may take
     */
    record Nature(String name, Offer offer, Acted.By by, Duration memory, Duration within) {

        /** What it is said to offer. */
        <R> Downstream<R, String> downstream(Offer declared, Downstream.Lookup<R, String> lookup) {
            return switch (declared) {
                case KEYS_FOR_EVER -> Downstream.honoursKeysForEver();
                case KEYS_FOR_A_WHILE -> Downstream.honoursKeys(memory);
                case LOOKUP -> Downstream.queryable(lookup);
                case NOTHING -> Downstream.notRetryable();
            };
        }
    }

    private record Entry(String answer, long at) {}

    private final Nature nature;
    private final Law law;
    private final Scheduler scheduler;
    private final Map<String, Entry> ledger = new HashMap<>();
    private final Map<String, Long> lastCalls = new HashMap<>();
    private int acted;

    OtherSystem(Nature nature, Law law, Scheduler scheduler) {
        this.nature = nature;
        this.law = law;
        this.scheduler = scheduler;
    }

    Nature nature() {
        return nature;
    }

    /** Sends a call to it. */
    String send(ForeignLine line, Domain sender, RecordId about, String key) throws Exception {
        lastCalls.put(key, scheduler.now());
        return line.call(nature.name(), nature.within(), () -> act(sender, about, key));
    }

    private String act(Domain sender, RecordId about, String key) {
        var known = Optional.ofNullable(ledger.get(key)).filter(this::remembered);
        if (known.isPresent()) {
            return known.get().answer();
        }
        boolean declined = nature.by() == Acted.By.FLOW && Math.floorMod(key.hashCode(), ONE_DECLINED_OF) == 0;
        var answer = declined ? DECLINED : nature.name() + "-" + ++acted;
        ledger.put(key, new Entry(answer, scheduler.now()));
        if (!declined) {
            law.check(new Happening.Acted(
                    nature.name(), nature.offer(), nature.by(), about, sender.smoothFor(LONG_ENOUGH)));
        }
        return answer;
    }

    private boolean remembered(Entry entry) {
        return switch (nature.offer()) {
            case KEYS_FOR_EVER -> true;
            case KEYS_FOR_A_WHILE ->
                scheduler.now() - entry.at() < nature.memory().toNanos();
            case LOOKUP, NOTHING -> false;
        };
    }

    /** Asks it what became of a call. */
    Optional<String> lookUp(ForeignLine line, Outgoing<?> call) throws Exception {
        return line.call("lookup at " + nature.name(), nature.within(), () -> find(call.key()));
    }

    Optional<String> find(String key) {
        return Optional.ofNullable(ledger.get(key)).map(Entry::answer);
    }

    /** Whether nothing that was sent under the key can still be on its way. */
    boolean isQuiet(String key) {
        var last = lastCalls.get(key);
        return last == null || scheduler.now() - last > nature.within().toNanos();
    }
}
