package dev.refrain.benchmarks;

import java.lang.management.ManagementFactory;

/** The heap of this process. */
final class HeapUsage {

    private HeapUsage() {}

    /** What is left after everything that can go is gone. */
    static long inUse() throws InterruptedException {
        var memory = ManagementFactory.getMemoryMXBean();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            memory.gc();
            Thread.sleep(100);
            least = Math.min(least, memory.getHeapMemoryUsage().getUsed());
        }
        return least;
    }
}
