package dev.refrain.benchmarks;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.internal.batch.BatchedStoreClient;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.jdbc.JdbcStore;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Compares one caller's claim through the batcher with the same claim sent to the store directly. */
final class LoneCallerBenchmark implements BenchmarkCase {

    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final int TURNS_PER_PAIR = 3;

    @Override
    public BenchmarkTitle title() {
        return new BenchmarkTitle(
                "idle",
                "lone claim through the batcher ÷ direct statement",
                "ratio of latencies (p50)",
                BenchmarkThreshold.atMost(1.1));
    }

    @Override
    public BenchmarkResult measure(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception {
        var scale = lab.scale();
        try (var shop = BenchmarkPaymentApp.on(lab.freshDatabase());
                var store = JdbcStore.on(shop.pool())) {
            var storeClient = new BatchedStoreClient(
                    store, ExecutionEnvironment.system(), RefrainListener.none(), released -> {});
            var batched = new Claims("through the batcher", request -> storeClient.claim(request, PATIENCE));
            var direct = new Claims("direct", request -> store.claim(List.of(request)));
            var lone = new ClosedLoopLoad(
                    1, scale.lead().dividedBy(TURNS_PER_PAIR), scale.slice().dividedBy(TURNS_PER_PAIR));
            var compared = lab.pairs(meter).compare(batched, direct, lone, scale.pairs() * TURNS_PER_PAIR);
            var ratio = compared.ratio(slice -> slice.quantile(0.5));
            return new BenchmarkResult(title(), ratio, compared.pairs(), List.of(), compared.figures());
        }
    }

    private record Claims(String name, Consumer<ClaimRequest> door) implements BenchmarkWorkload {

        @Override
        public void callOnce() {
            door.accept(SampleTraffic.claim());
        }
    }
}
