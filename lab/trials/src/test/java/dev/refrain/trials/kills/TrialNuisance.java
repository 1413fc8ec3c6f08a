package dev.refrain.trials.kills;

import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;

/** Fault that befalls a trial now and then, on a thread of its own, independent of the kills. */
abstract class TrialNuisance implements AutoCloseable {

    private final Random random;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean over;
    private Optional<Thread> thread = Optional.empty();

    TrialNuisance(Random random) {
        this.random = random;
    }

    /** Causes the fault once, and returns when it is over. */
    abstract void annoy(Random random) throws Exception;

    final void begin() {
        thread =
                Optional.of(Thread.ofPlatform().name(getClass().getSimpleName()).start(this::annoyNowAndThen));
    }

    private void annoyNowAndThen() {
        try {
            while (!over) {
                Thread.sleep(500 + random.nextInt(1_500));
                annoy(random);
            }
        } catch (Throwable e) {
            failure.set(e);
        }
    }

    /** Returns when the last fault is over. */
    @Override
    public final void close() throws InterruptedException {
        over = true;
        if (thread.isPresent()) {
            thread.get().join();
        }
        if (failure.get() != null) {
            throw new AssertionError(getClass().getSimpleName() + " failed", failure.get());
        }
    }
}
