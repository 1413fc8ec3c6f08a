package dev.refrain.trials.simulation.machine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Scheduler with one processor: a seed chooses the next thread, and time passes only when none can run.
 *
 * <p>Now and then a thread that could go on is left lying for a while, which is what a real scheduler, a page fault or a
 * pause of the garbage collector does to a thread between any two of its steps.
 */
public final class SimulationScheduler {

    /** Steps after which a world counts as endless. */
    private static final long MOST_STEPS = 3_000_000;

    /** Far more than any thread needs between two waits. */
    private static final int MOST_LOOKS = 1_000_000;

    private record Ready(SimulatedThreadGroup domain, Runnable continuation) {}

    private final SeededRandom chance;
    private final SimulationTrace trace;
    private final List<Ready> ready = new ArrayList<>();
    private final PriorityQueue<VirtualTimer> alarms = new PriorityQueue<>();
    private long now;
    private long steps;
    private long looksInStep;
    private long ordered;
    private int domains;
    private int driftsPerMille;
    private Duration longestDrift = Duration.ZERO;

    public SimulationScheduler(SeededRandom chance, SimulationTrace trace) {
        this.chance = chance;
        this.trace = trace;
    }

    /** Returns the true virtual time, in nanoseconds since the world began. */
    public long now() {
        return now;
    }

    /** Returns the time for a thread of the world. One that only looks at the clock, and never waits, would be waited for without end. */
    long nowForThread() {
        if (++looksInStep > MOST_LOOKS) {
            throw spins();
        }
        return now;
    }

    private static IllegalStateException spins() {
        return new IllegalStateException(
                "A thread looked at the clock " + MOST_LOOKS + " times without waiting: it spins.");
    }

    public long steps() {
        return steps;
    }

    public SimulatedThreadGroup domain(String name) {
        return new SimulatedThreadGroup(this, domains++, name);
    }

    /** Delays runnable threads this often, for at most this long. */
    public void leaveThreadsLying(int perMille, Duration longest) {
        driftsPerMille = perMille;
        longestDrift = longest;
    }

    public void trace(String who, Supplier<String> what) {
        trace.line(now, who, what);
    }

    /** Runs the world until this moment, or until the condition holds. */
    public void runUntil(long end, BooleanSupplier over) {
        while (!over.getAsBoolean()) {
            if (!ready.isEmpty()) {
                runOne();
            } else if (!alarms.isEmpty() && alarms.element().at <= end) {
                ring(alarms.remove());
            } else {
                return;
            }
        }
    }

    private void runOne() {
        if (++steps > MOST_STEPS) {
            throw new IllegalStateException("The world took more than " + MOST_STEPS + " steps: a livelock.");
        }
        looksInStep = 0;
        int index = chance.below(ready.size());
        var picked = ready.get(index);
        int last = ready.size() - 1;
        ready.set(index, ready.get(last));
        ready.remove(last);
        trace.step(picked.domain.number() * 31L + index);
        if (chance.perMille(driftsPerMille)) {
            var lying = lying();
            picked.domain.heldUp(lying);
            at(now + lying.toNanos(), picked.domain, () -> picked.domain.execute(picked.continuation));
        } else if (picked.domain.admits(picked.continuation)) {
            picked.continuation.run();
            if (looksInStep > MOST_LOOKS) {
                // The exception has ended the thread that spins, and nobody else heard of it.
                throw spins();
            }
        }
    }

    /** Returns a random delay: mostly short, seldom very long. */
    private Duration lying() {
        return chance.upTo(chance.oneIn(30) ? longestDrift : Duration.ofMillis(40));
    }

    private void ring(VirtualTimer alarm) {
        if (!alarm.isCancelled()) {
            looksInStep = 0;
            now = Math.max(now, alarm.at);
            trace.step(now);
            alarm.task.run();
        }
    }

    void ready(SimulatedThreadGroup domain, Runnable continuation) {
        ready.add(new Ready(domain, continuation));
    }

    VirtualTimer at(long moment, SimulatedThreadGroup domain, Runnable task) {
        var alarm = new VirtualTimer(moment, ordered++, domain, task);
        alarms.add(alarm);
        return alarm;
    }
}
