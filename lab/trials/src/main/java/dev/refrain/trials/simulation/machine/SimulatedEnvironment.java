package dev.refrain.trials.simulation.machine;

import dev.refrain.api.ExecutionEnvironment;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/**
 * Clock, threads and randomness of a simulated process.
 *
 * <p>Its clock is monotonic, but runs at a speed of its own, may jump forward, and may stand still while the process is
 * suspended.
 */
public final class SimulatedEnvironment implements ExecutionEnvironment {

    private static final double MILLION = 1_000_000.0;

    private final SimulationScheduler scheduler;
    private final SimulatedThreadGroup domain;
    private final SeededRandom chance;
    private final double speed;
    private final Set<UUID> nonces = new HashSet<>();
    private long offset;
    private long last = Long.MIN_VALUE;
    private long stoodStill;

    /** @param partsPerMillion how much faster than true time its clock runs */
    public SimulatedEnvironment(
            SimulationScheduler scheduler, SimulatedThreadGroup domain, SeededRandom chance, int partsPerMillion) {
        this.scheduler = scheduler;
        this.domain = domain;
        this.chance = chance;
        this.speed = 1 + partsPerMillion / MILLION;
        // System.nanoTime() begins anywhere, below zero too.
        this.offset = chance.below(Integer.MAX_VALUE) * 1_000L - (1L << 40);
    }

    @Override
    public long nanoTime() {
        last = Math.max(last, offset + (long) (scheduler.nowForThread() * speed));
        return last;
    }

    public void jumpForward(Duration by) {
        offset += by.toNanos();
    }

    /** Excludes this time from the clock, as CLOCK_MONOTONIC does for a suspended machine; the clock never goes back. */
    public void stoodStill(Duration time) {
        offset -= (long) (time.toNanos() * speed);
        stoodStill += time.toNanos();
    }

    public Duration stoodStill() {
        return Duration.ofNanos(stoodStill);
    }

    @Override
    public void startThread(String name, Runnable body) {
        domain.start(name, body);
        mayYield();
    }

    /** Schedules the task, never early by this process's own clock. */
    @Override
    public Timer schedule(Duration delay, Runnable task) {
        return domain.after(Duration.ofNanos((long) Math.ceil(delay.toNanos() / speed) + 1), task);
    }

    @Override
    public UUID newNonce() {
        var nonce = chance.uuid();
        nonces.add(nonce);
        mayYield();
        return nonce;
    }

    /** Returns whether this process made the nonce. */
    public boolean made(UUID nonce) {
        return nonces.contains(nonce);
    }

    /** Yields to another thread at random: where the core calls its environment, it could be preempted. */
    @SuppressWarnings("ThreadPriorityCheck") // The thread scheduler is ours.
    public void mayYield() {
        if (Thread.currentThread().isVirtual() && chance.oneIn(3)) {
            Thread.yield();
        }
    }
}
