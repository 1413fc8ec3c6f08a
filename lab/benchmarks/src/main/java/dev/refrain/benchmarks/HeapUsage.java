package dev.refrain.benchmarks;

import java.lang.management.ManagementFactory;

/** Heap usage of this process. */
final class HeapUsage {

    private HeapUsage() {}

    /** Returns the bytes in use after garbage collection. */
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
