package dev.refrain.testing;

import static dev.refrain.testing.AwaitCondition.PATIENCE;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Holds whoever comes until it is opened, and tells that someone came. Does not heed interrupts. */
public final class ThreadGate {

    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);

    public void pass() {
        arrived.countDown();
        require(open);
    }

    /** The same, for work that heeds interrupts. */
    public void passUnlessInterrupted() throws InterruptedException {
        arrived.countDown();
        if (!open.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("The gate was not opened.");
        }
    }

    public void awaitArrival() {
        require(arrived);
    }

    public boolean hasArrived() {
        return arrived.getCount() == 0;
    }

    public void open() {
        open.countDown();
    }

    private static void require(CountDownLatch latch) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    if (!latch.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                        throw new AssertionError("Nobody came, or nobody opened.");
                    }
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
