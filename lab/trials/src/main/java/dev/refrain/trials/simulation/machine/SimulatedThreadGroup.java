package dev.refrain.trials.simulation.machine;

import dev.refrain.api.ExecutionEnvironment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Threads that live and die together: a process, or the world around them. */
public final class SimulatedThreadGroup implements Executor {

    private enum Life {
        RUNNING,
        PAUSED,
        DEAD
    }

    /** What holds a thread up for less than this is nothing to speak of. */
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

    /** Something will hold it up until then. */
    public void disturbed(Duration forTime) {
        disturbedUntil = later(disturbedUntil, forTime);
    }

    /** The same for what stands still, or mistakes the time, and is not only answered late. */
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

    /** Whether it was left in peace for at least so long. */
    public boolean undisturbedFor(Duration time) {
        return disturbedUntil.plus(time).compareTo(Duration.ofNanos(scheduler.now())) <= 0;
    }

    /** Whether for at least so long its threads came to run in time, and its clock was right. */
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

    /** The same, but an interrupt ends it. */
    public void nap(Duration time) throws InterruptedException {
        var over = new CompletableFuture<@Nullable Void>();
        after(time, () -> over.complete(null));
        try {
            over.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Nothing of it runs until it is resumed as often as it was paused; its timers ring then. */
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
            held.forEach(this::execute);
            held.clear();
        }
    }

    /** As SIGKILL: nothing of it ever runs again. */
    public void kill() {
        life = Life.DEAD;
        held.clear();
    }

    /** Kills the domain of the calling thread, which goes no further. */
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

    /** Whether it may run now; if the domain is paused it is held back, if dead it is forgotten. */
    boolean admits(Runnable continuation) {
        if (life == Life.PAUSED) {
            held.add(continuation);
        }
        return life == Life.RUNNING;
    }
}
