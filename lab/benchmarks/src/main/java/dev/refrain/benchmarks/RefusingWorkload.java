package dev.refrain.benchmarks;

import dev.refrain.store.StoreOverloadedException;
import java.util.concurrent.Semaphore;

/**
 * Workload that passes on as many calls at a time as callers reach its capacity, and refuses the others at no cost: what remains of a load's
 * price is the generator's.
 */
final class RefusingWorkload implements BenchmarkWorkload {

    private final StoreOverloadedException refusal = new StoreOverloadedException("Refused by a constant.");
    private final BenchmarkWorkload behind;
    private final Semaphore places;

    RefusingWorkload(BenchmarkWorkload behind, int callers) {
        this.behind = behind;
        this.places = new Semaphore(callers);
    }

    @Override
    public String name() {
        return behind.name();
    }

    @Override
    public void callOnce() throws Exception {
        if (!places.tryAcquire()) {
            // The client makes its call, whatever becomes of it.
            var unused = SampleTraffic.call();
            throw refusal;
        }
        try {
            behind.callOnce();
        } finally {
            places.release();
        }
    }
}
