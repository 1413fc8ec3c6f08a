package dev.refrain.trials.simulation.machine;

import dev.refrain.Environment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Threads that live and die together: a process, or the world around them. */
public final class Domain implements Executor {

    private enum Life {
        RUNNING,
        PAUSED,
        DEAD
    }

    private final Scheduler scheduler;
    private final int number;
    private final String name;
    private final List<Runnable> held = new ArrayList<>();
    private Life life = Life.RUNNING;
    private int pauses;
    private Duration disturbedUntil = Duration.ZERO;

    Domain(Scheduler scheduler, int number, String name) {
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
        var until = Duration.ofNanos(scheduler.now()).plus(forTime);
        disturbedUntil = until.compareTo(disturbedUntil) > 0 ? until : disturbedUntil;
    }

    /** Whether it was left in peace for at least so long. */
    public boolean undisturbedFor(Duration time) {
        return disturbedUntil.plus(time).compareTo(Duration.ofNanos(scheduler.now())) <= 0;
    }

    public void trace(Supplier<String> what) {
        scheduler.trace(name, what);
    }

    public void start(String thread, Runnable body) {
        if (!isDead()) {
            VirtualThreads.start(this, thread, body);
        }
    }

    /** Runs the task on a thread of its own after so much true time. */
    public Environment.Timer after(Duration delay, Runnable task) {
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
