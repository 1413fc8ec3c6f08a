package dev.refrain.trials.simulation.machine;

import dev.refrain.api.ExecutionEnvironment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Threads that live and die together: a process, or the world around them. */
public final class SimulatedThreadGroup implements Executor {

    private enum Life {
        RUNNING,
        PAUSED,
        DEAD
    }

    /** Delays below this do not count as a disturbance. */
    private static final Duration MOMENT = Duration.ofMillis(100);

    private final SimulationScheduler scheduler;
    private final int number;
    private final String name;
    private final List<Runnable> held = new ArrayList<>();
    private Life life = Life.RUNNING;
    private int pauses;
    private Duration disturbedUntil = Duration.ZERO;
    private Duration heldUpUntil = Duration.ofDays(-1);

    SimulatedThreadGroup(SimulationScheduler scheduler, int number, String name) {
        this.scheduler = scheduler;
        this.number = number;
        this.name = name;
    }

    int number() {
        return number;
    }

    public String name() {
        return name;
    }

    public boolean isDead() {
        return life == Life.DEAD;
    }

    /** Records a disturbance for this long. */
    public void disturbed(Duration forTime) {
        disturbedUntil = later(disturbedUntil, forTime);
    }

    /** Records a disturbance of threads or clock, not only of answers, for this long. */
    public void heldUp(Duration forTime) {
        disturbed(forTime);
        if (forTime.compareTo(MOMENT) > 0) {
            heldUpUntil = later(heldUpUntil, forTime);
        }
    }

    private Duration later(Duration until, Duration forTime) {
        var end = Duration.ofNanos(scheduler.now()).plus(forTime);
        return end.compareTo(until) > 0 ? end : until;
    }

    /** Returns whether it has been undisturbed for at least this long. */
    public boolean undisturbedFor(Duration time) {
        return disturbedUntil.plus(time).compareTo(Duration.ofNanos(scheduler.now())) <= 0;
    }

    /** Returns a condition that holds as long as it is alive and nothing disturbs it from now on. */
    public BooleanSupplier undisturbedFromNowOn() {
        var begun = Duration.ofNanos(scheduler.now());
        return () -> !isDead() && disturbedUntil.compareTo(begun) <= 0;
    }

    /** Returns whether its threads ran in time and its clock was right for at least this long. */
    public boolean smoothFor(Duration time) {
        return heldUpUntil.plus(time).compareTo(Duration.ofNanos(scheduler.now())) <= 0;
    }

    public void trace(Supplier<String> what) {
        scheduler.trace(name, what);
    }

    public void start(String thread, Runnable body) {
        if (!isDead()) {
            DeterministicThreads.start(this, thread, body);
        }
    }

    /** Runs the task on a thread of its own after so much true time. */
    public ExecutionEnvironment.Timer after(Duration delay, Runnable task) {
        long moment = scheduler.now() + Math.max(0, delay.toNanos());
        return scheduler.at(moment, this, () -> start("timer", task));
    }

    /** Blocks the calling simulated thread, whatever interrupts it. */
    public void sleep(Duration time) {
        if (time.isPositive()) {
            var over = new CompletableFuture<@Nullable Void>();
            after(time, () -> over.complete(null));
            over.join();
        }
    }

    /** Blocks the calling simulated thread until the time is over or it is interrupted. */
    public void nap(Duration time) throws InterruptedException {
        var over = new CompletableFuture<@Nullable Void>();
        after(time, () -> over.complete(null));
        try {
            over.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Pauses all threads until they are resumed as often as they were paused; due timers fire then. */
    public void pause() {
        pauses++;
        if (life == Life.RUNNING) {
            life = Life.PAUSED;
        }
    }

    public void resume() {
        pauses--;
        if (life == Life.PAUSED && pauses == 0) {
            life = Life.RUNNING;
            // Whoever resumes it may itself be late: up to now it was disturbed, however long the pause was meant to
            // be.
            disturbedUntil = later(disturbedUntil, Duration.ZERO);
            heldUpUntil = later(heldUpUntil, Duration.ZERO);
            held.forEach(this::execute);
            held.clear();
        }
    }

    /** Kills all threads, as SIGKILL does. */
    public void kill() {
        life = Life.DEAD;
        held.clear();
    }

    /** Kills the group of the calling thread, which does not return. */
    public void killSelf() {
        kill();
        while (true) {
            // An interrupted thread would not park.
            Thread.interrupted();
            LockSupport.park();
        }
    }

    @Override
    public void execute(Runnable continuation) {
        if (admits(continuation)) {
            scheduler.ready(this, continuation);
        }
    }

    /** Returns whether the continuation may run now; a paused group keeps it, a dead one drops it. */
    boolean admits(Runnable continuation) {
        if (life == Life.PAUSED) {
            held.add(continuation);
        }
        return life == Life.RUNNING;
    }
}
