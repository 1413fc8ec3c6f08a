package dev.refrain.trials.simulation.world;

import dev.refrain.LeasedOperation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.RecordState;
import dev.refrain.store.Store;
import dev.refrain.store.StoreLimits;
import dev.refrain.store.StoreOverloadedException;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.memory.MemoryStore;
import dev.refrain.trials.simulation.machine.SeededRandom;
import dev.refrain.trials.simulation.machine.SimulatedEnvironment;
import dev.refrain.trials.simulation.machine.SimulatedThreadGroup;
import dev.refrain.trials.simulation.machine.SimulationScheduler;
import dev.refrain.trials.simulation.machine.SimulationTrace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * World in which one scope sends ten times as many calls as the store can take, and others send a few.
 *
 * <p>Its rules: calls of the other scopes run, and hardly later than without the flood; every call ends within its patience; a refused call
 * did not run and left no record; nothing stays claimed; and no call that was admitted expires.
 */
public final class FloodedWorld {

    /** Small batches, one at a time: the link's latency makes that a capacity of about 500 calls in a second. */
    private static final StoreLimits LIMITS = new StoreLimits(8, 1, 1 << 20);

    private static final int CAPACITY_PER_SECOND = 500;
    private static final int LEAST_GOODPUT_PERCENT = 90;

    /** Longest call of another scope: some batches of claims and of completions, and not the backlog of the flood. */
    private static final Duration LONGEST_OF_OTHERS = Duration.ofMillis(150);

    private static final Duration FLOOD = Duration.ofSeconds(2);
    private static final Duration BETWEEN_CALLS_OF_FLOOD =
            Duration.ofNanos(1_000_000_000L / (10 * CAPACITY_PER_SECOND));
    private static final Duration BETWEEN_CALLS_OF_OTHERS = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final Duration END = Duration.ofMinutes(3);
    private static final int OTHERS = 3;
    private static final String FLOODING = "flood";
    private static final String OPERATION = "pay";

    private final Defect defect;
    private final SeededRandom chance;
    private final SimulationScheduler scheduler;
    private final SimulatedThreadGroup outside;
    private final SimulatedThreadGroup process;
    private final Store store;
    private final LeasedOperation<Outcome.Answer> operation;
    private final Map<String, Integer> runs = new LinkedHashMap<>();
    private final List<EndedCall> ended = new ArrayList<>();
    private int sent;

    /**
     * Defect of the product, planted to see whether the rules notice; none otherwise.
     *
     * @param scopes the scope under which a call is queued, by the one that sends it
     * @param patience the patience that the queue believes a call to have, by the one that it has
     * @param store what is made of the store
     */
    public record Defect(UnaryOperator<String> scopes, UnaryOperator<Duration> patience, UnaryOperator<Store> store) {

        public static final Defect NONE =
                new Defect(UnaryOperator.identity(), UnaryOperator.identity(), UnaryOperator.identity());
    }

    private enum Ending {
        RAN,
        REFUSED,
        FAILED
    }

    private record EndedCall(String scope, String key, Ending ending, Duration took, String text) {

        boolean isOfFlood() {
            return scope.equals(FLOODING);
        }

        /** Returns whether it ended in time: its claim and its completion have the patience of a store call each. */
        boolean isInTime() {
            return took.compareTo(PATIENCE.multipliedBy(2)) <= 0;
        }
    }

    public FloodedWorld(long seed, Defect defect) {
        this.defect = defect;
        chance = new SeededRandom(seed);
        scheduler = new SimulationScheduler(chance.split(), SimulationTrace.hashOnly());
        outside = scheduler.domain("world");
        process = scheduler.domain("process");
        store = new MemoryStore(new SimulatedStoreClock(scheduler));
        var line = new FaultyStoreLink(process, outside, chance.split(), new CurrentFaultRates(FaultRates.NONE));
        var refrain = Refrain.using(
                new FaultyStore(defect.store().apply(store), line, LIMITS),
                RefrainSettings.defaults().with(new SimulatedEnvironment(scheduler, process, chance.split(), 0)));
        operation = refrain.operation(OPERATION)
                .storeTimeout(defect.patience().apply(PATIENCE))
                .leased(LeaseExpiryPolicy.RESUME);
    }

    /** Runs the world to its end, and returns the rules that it broke. */
    public List<String> live() {
        outside.start("flood", () -> send(FLOODING, BETWEEN_CALLS_OF_FLOOD));
        for (int i = 1; i <= OTHERS; i++) {
            String scope = "other-" + i;
            outside.start(scope, () -> send(scope, BETWEEN_CALLS_OF_OTHERS));
        }
        scheduler.runUntil(END.toNanos(), () -> false);
        return brokenRules();
    }

    private void send(String scope, Duration pause) {
        for (int i = 0; scheduler.now() < FLOOD.toNanos(); i++) {
            String key = scope + "-key-" + i;
            sent++;
            process.start("call", () -> call(scope, key));
            outside.sleep(chance.upTo(pause.multipliedBy(2)));
        }
    }

    private void call(String scope, String key) {
        long begun = scheduler.now();
        Ending ending;
        String text;
        try {
            var result = operation.runForResult(
                    OperationCall.scope(defect.scopes().apply(scope)).key(key).request("request"), claim -> {
                        runs.merge(key, 1, Integer::sum);
                        return Outcome.Answer.of(201, new byte[0]);
                    });
            ending = result instanceof OperationResult.Ran ? Ending.RAN : Ending.FAILED;
            text = result.toString();
        } catch (StoreOverloadedException refused) {
            ending = Ending.REFUSED;
            text = refused.toString();
        } catch (RuntimeException failure) {
            ending = Ending.FAILED;
            text = failure.toString();
        }
        ended.add(new EndedCall(scope, key, ending, Duration.ofNanos(scheduler.now() - begun), text));
    }

    private List<String> brokenRules() {
        var broken = new ArrayList<String>();
        if (ended.size() != sent) {
            broken.add("Calls that never ended: " + (sent - ended.size()));
        }
        ended.forEach(call -> check(call, broken));
        long goodput = ended.stream()
                .filter(call -> call.ending() == Ending.RAN && call.isInTime())
                .count();
        long least = CAPACITY_PER_SECOND * FLOOD.toSeconds() * LEAST_GOODPUT_PERCENT / 100;
        if (goodput < least) {
            broken.add("Only " + goodput + " calls of " + sent + " ran in time; the store can take " + least);
        }
        long forNobody =
                ended.stream().filter(call -> call.ending() == Ending.FAILED).count();
        if (forNobody > 0) {
            broken.add("Admitted and not served in time: " + forNobody);
        }
        return broken;
    }

    private void check(EndedCall call, List<String> broken) {
        if (!call.isInTime()) {
            broken.add("Ended after its patience: " + call);
        }
        if (!call.isOfFlood() && call.ending() != Ending.RAN) {
            broken.add("Did not run, because another scope floods the store: " + call);
        }
        if (!call.isOfFlood() && call.took().compareTo(LONGEST_OF_OTHERS) > 0) {
            broken.add("Took long, because another scope floods the store: " + call);
        }
        if (call.ending() != Ending.RAN && runs.containsKey(call.key())) {
            broken.add("Ran, but its caller was not told: " + call);
        }
        var left = record(call);
        boolean asItShould = switch (call.ending()) {
            case RAN -> left.equals(Optional.of(RecordState.COMPLETED));
            case REFUSED -> left.isEmpty();
            case FAILED -> left.isEmpty() || left.get() == RecordState.RELEASED;
        };
        if (!asItShould) {
            broken.add("Left a record that is " + left + ": " + call);
        }
    }

    private Optional<RecordState> record(EndedCall call) {
        var identity = new ScopedKey(defect.scopes().apply(call.scope()), OPERATION, call.key());
        return store.find(List.of(identity)).getFirst().map(StoredRecord::state);
    }
}
