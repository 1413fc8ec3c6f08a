package dev.refrain.trials.simulation;

import dev.refrain.trials.simulation.law.InvariantChecker;
import dev.refrain.trials.simulation.machine.SimulationTrace;
import dev.refrain.trials.simulation.world.SimulatedWorld;
import dev.refrain.trials.simulation.world.SimulationMutation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;

/** Runs simulated worlds on all processors until one violates a rule or enough were run. */
public final class Simulation {

    private static final int LINES_SHOWN = 60;

    /** Of the product's log lines none is written: worlds side by side would wait for one another there, and would no longer be repeatable. */
    private static final Logger SILENT = Logger.getLogger("dev.refrain");

    static {
        SILENT.setLevel(Level.OFF);
    }

    private final SimulatedWorld.Kind kind;
    private final Supplier<InvariantChecker> law;
    private final SimulationMutation tampering;

    private Simulation(SimulatedWorld.Kind kind, Supplier<InvariantChecker> law, SimulationMutation tampering) {
        this.kind = kind;
        this.law = law;
        this.tampering = tampering;
    }

    /** Returns a simulation of the product under all rules. */
    public static Simulation ofTheProduct() {
        return new Simulation(SimulatedWorld.Kind.OPERATIONS, InvariantChecker::whole, SimulationMutation.NONE);
    }

    /** Returns a simulation of sagas, of the product or of a mutant of it. */
    public static Simulation ofSagas(SimulationMutation tampering) {
        return new Simulation(SimulatedWorld.Kind.SAGAS, InvariantChecker::ofSagas, tampering);
    }

    /** Returns a simulation of the reconciler, of the product or of a mutant of it. */
    public static Simulation ofLedgers(SimulationMutation tampering) {
        return new Simulation(SimulatedWorld.Kind.LEDGERS, InvariantChecker::ofLedgers, tampering);
    }

    /** Returns a simulation of relays that are slower than their leases, of the product or of a mutant of it. */
    public static Simulation ofRelays(SimulationMutation tampering) {
        return new Simulation(SimulatedWorld.Kind.RELAYS, InvariantChecker::ofRelays, tampering);
    }

    /** Returns a simulation of a mutated product, to see whether these rules notice. */
    public static Simulation ofBroken(SimulationMutation tampering, Supplier<InvariantChecker> law) {
        return new Simulation(SimulatedWorld.Kind.OPERATIONS, law, tampering);
    }

    /**
     * Result of a simulation.
     *
     *
     * @param failing the first seed that was found to break the law
     * @param events how often each kind of event was heard in all worlds
     */
    public record Report(long worlds, Optional<Long> failing, Map<String, Integer> events) {}

    /** Rerun of one world with its full trace. */
    public record Replay(SimulationTrace trace, List<InvariantChecker.Violation> violations) {

        /** Returns the end of the trace and the violations. */
        public String told() {
            return String.join("\n", trace.last(LINES_SHOWN)) + "\n"
                    + String.join(
                            "\n", violations.stream().map(v -> "BROKEN " + v).toList());
        }
    }

    public Replay replay(long seed) {
        var trace = SimulationTrace.ofLines();
        var world = new SimulatedWorld(kind, seed, law.get(), trace, tampering).live();
        return new Replay(trace, world.law().violations());
    }

    /** Runs worlds from this seed on while the predicate holds. */
    public Report run(long firstSeed, LongPredicate goOn) {
        var next = new AtomicLong(firstSeed);
        var failing = new AtomicReference<Optional<Long>>(Optional.empty());
        var events = new ConcurrentHashMap<String, Integer>();
        int threads = Runtime.getRuntime().availableProcessors();
        try (var pool = Executors.newFixedThreadPool(threads)) {
            Callable<Void> lives = () -> {
                long seed = next.getAndIncrement();
                while (failing.get().isEmpty() && goOn.test(seed - firstSeed)) {
                    var world = new SimulatedWorld(kind, seed, law.get(), SimulationTrace.hashOnly(), tampering).live();
                    world.events().forEach((event, count) -> events.merge(event, count, Integer::sum));
                    if (world.law().isBroken()) {
                        note(failing, seed);
                    }
                    seed = next.getAndIncrement();
                }
                return null;
            };
            for (var done : pool.invokeAll(
                    IntStream.range(0, threads).mapToObj(i -> lives).toList())) {
                done.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The simulation was interrupted.", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("A world could not be lived through.", e.getCause());
        }
        return new Report(next.get() - threads - firstSeed, failing.get(), new TreeMap<>(events));
    }

    /** Runs this many worlds. */
    public Report run(long firstSeed, int worlds) {
        return run(firstSeed, lived -> lived < worlds);
    }

    /** Runs worlds for this long. */
    public Report run(long firstSeed, Duration time) {
        long end = System.nanoTime() + time.toNanos();
        return run(firstSeed, lived -> System.nanoTime() - end < 0);
    }

    /** Keeps the lowest failing seed, so that "within so many seeds" means the same on every machine. */
    private static void note(AtomicReference<Optional<Long>> failing, long seed) {
        failing.accumulateAndGet(Optional.of(seed), (a, b) -> a.isPresent() && a.get() < seed ? a : b);
    }
}
