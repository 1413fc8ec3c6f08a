package dev.refrain.testing;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The threads of the tests and of what they test. Time that a test moves by hand moves only while all of them wait, so that
 * none is left behind however slow the machine is.
 */
final class TestThreads {

    private static final Set<Thread> LIVE = ConcurrentHashMap.newKeySet();
    private static final int LOOKS = 3;
    private static final long PATIENCE = 15_000_000_000L;

    private TestThreads() {}

    static Thread unstarted(String name, Runnable body) {
        return Thread.ofVirtual().name(name).unstarted(() -> {
            LIVE.add(Thread.currentThread());
            try {
                body.run();
            } finally {
                LIVE.remove(Thread.currentThread());
            }
        });
    }

    static Thread start(String name, Runnable body) {
        var thread = unstarted(name, body);
        start(thread);
        return thread;
    }

    static void start(Thread thread) {
        LIVE.add(thread);
        thread.start();
    }

    /** Waits until all others wait: seen several times in a row, since a thread may wait for a lock in passing. */
    static void settle() {
        long begun = System.nanoTime();
        int looks = 0;
        while (looks < LOOKS && System.nanoTime() - begun < PATIENCE) {
            looks = allWait() ? looks + 1 : 0;
            Thread.yield();
        }
    }

    private static boolean allWait() {
        return LIVE.stream().allMatch(TestThreads::waits);
    }

    private static boolean waits(Thread thread) {
        return switch (thread.getState()) {
            case WAITING, TIMED_WAITING, TERMINATED -> true;
            default -> thread.equals(Thread.currentThread());
        };
    }
}
