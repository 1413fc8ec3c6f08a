package dev.refrain.benchmarks;

import dev.refrain.LeasedOperation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.RefrainSettings.WaiterLimits;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.jdbc.JdbcStore;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Measures the memory per waiter of one slow call, and how soon the last one is answered. */
final class WaiterMemoryBenchmark implements BenchmarkCase {

    private static final double KIB = 1024;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final Duration LONG_ENOUGH = Duration.ofMinutes(10);

    @Override
    public BenchmarkTitle title() {
        return new BenchmarkTitle(
                "parked",
                "heap per waiter, 10,000 waiters on one slow key",
                "KiB per waiter",
                BenchmarkThreshold.atMost(8));
    }

    @Override
    public BenchmarkResult measure(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception {
        int count = lab.scale().waiters();
        meter.at(0, 1, "parking " + count + " waiters");
        var told = new CountDownLatch(count);
        RefrainListener arrivals = event -> {
            if (event instanceof RefrainEvent.Claimed claimed
                    && claimed.result() == RefrainEvent.ClaimResult.IN_PROGRESS) {
                told.countDown();
            }
        };
        var settings =
                RefrainSettings.defaults().with(new WaiterLimits(count, count)).with(arrivals);
        try (var shop = BenchmarkPaymentApp.on(lab.freshDatabase());
                var store = JdbcStore.on(shop.pool());
                var refrain = Refrain.using(store, settings)) {
            var operation = refrain.operation(SampleTraffic.OPERATION)
                    .waitWhileInFlight(LONG_ENOUGH)
                    .storeTimeout(LONG_ENOUGH)
                    .leased(LeaseExpiryPolicy.RESUME);
            return park(operation, count, told);
        }
    }

    private BenchmarkResult park(LeasedOperation<Outcome.Answer> operation, int count, CountDownLatch told)
            throws Exception {
        var call = SampleTraffic.call();
        var running = new CountDownLatch(1);
        var finish = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = threads.submit(() -> operation.run(call, claim -> {
                running.countDown();
                finish.await();
                return SampleTraffic.answer();
            }));
            running.await();
            long before = HeapUsage.inUse();
            var waiters = Collections.nCopies(count, waiter(operation, call)).stream()
                    .map(threads::submit)
                    .toList();
            if (!told.await(1, TimeUnit.MINUTES)) {
                throw new MeasurementFailedException(
                        "Not all of " + count + " waiters were told to wait within a minute.");
            }
            double perWaiter = (HeapUsage.inUse() - before) / KIB / count;
            long finished = System.nanoTime();
            finish.countDown();
            double millis = (lastAnswered(waiters, first.get()) - finished) / NANOS_PER_MILLI;
            var last = SecondaryMeasurement.of("the last waiter is answered after", millis, "ms");
            return new BenchmarkResult(
                    title(),
                    QuartileSpread.single(perWaiter),
                    1,
                    List.of(last.barred(BenchmarkThreshold.atMost(1_000))),
                    List.of());
        }
    }

    private record Ended(long at, Outcome.Answer answer) {}

    private static Callable<Ended> waiter(LeasedOperation<Outcome.Answer> operation, OperationCall call) {
        return () -> {
            var answer = operation.run(call, claim -> {
                throw new MeasurementFailedException("A waiter ran the handler.");
            });
            return new Ended(System.nanoTime(), answer);
        };
    }

    private static long lastAnswered(List<Future<Ended>> waiters, Outcome.Answer stored) throws Exception {
        long last = Long.MIN_VALUE;
        for (var waiter : waiters) {
            var ended = waiter.get();
            if (!ended.answer().equals(stored)) {
                throw new MeasurementFailedException("A waiter was answered with other bytes than the first caller.");
            }
            last = Math.max(last, ended.at());
        }
        return last;
    }
}
