package dev.refrain.benchmarks;

import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts rows and batches of each kind of batch. */
final class BatchSizeCounter implements RefrainListener {

    private record Sent(LongAdder batches, LongAdder rows) {}

    private final Map<String, Sent> batchers = new ConcurrentHashMap<>();

    @Override
    public void onEvent(RefrainEvent event) {
        if (event instanceof RefrainEvent.BatchSent batch) {
            var sent = batchers.computeIfAbsent(batch.batcher(), batcher -> new Sent(new LongAdder(), new LongAdder()));
            sent.batches.increment();
            sent.rows.add(batch.size());
        }
    }

    void forget() {
        batchers.clear();
    }

    SecondaryMeasurement rowsPer(String batcher) {
        var sent = batchers.get(batcher);
        double rows = sent == null ? 0 : sent.rows.sum() / (double) Math.max(1, sent.batches.sum());
        return SecondaryMeasurement.of(batcher + " per batch", rows, "rows");
    }
}
