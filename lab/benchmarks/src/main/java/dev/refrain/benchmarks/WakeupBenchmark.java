package dev.refrain.benchmarks;

import dev.refrain.Operation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.store.jdbc.JdbcStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Measures how long after a run its result is known to a caller who waits for it on another instance. The runs last for a second and more, when
 * polling has become rare, and end one after the other, so that each is a wake-up of its own.
 */
final class WakeupBenchmark implements BenchmarkCase {

    private static final int ROUNDS = 3;

    /** Runs at once: each transactional one holds a connection. */
    private static final int RUNS = 8;

    private static final double NANOS_PER_MILLI = 1e6;
    private static final Duration FIRST_END = Duration.ofMillis(1_200);
    private static final Duration APART = Duration.ofMillis(60);
    private static final Duration LONG_ENOUGH = Duration.ofMinutes(1);

    /** Waiters come once the keys are claimed. */
    private static final Duration CLAIMED = Duration.ofMillis(300);

    @Override
    public BenchmarkTitle title() {
        return new BenchmarkTitle(
                "wakeup",
                "from the end of a leased run to the answer of a caller who waits on another instance",
                "milliseconds (p50)",
                BenchmarkThreshold.atMost(20));
    }

    /** Runs a call, whose work takes this time. */
    @FunctionalInterface
    private interface Instance {
        void run(OperationCall call, Duration time) throws Exception;
    }

    @Override
    public BenchmarkResult measure(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception {
        String database = lab.freshDatabase();
        try (var here = BenchmarkPaymentApp.on(database);
                var there = BenchmarkPaymentApp.on(database);
                var store = JdbcStore.on(here.pool());
                var otherStore = JdbcStore.on(there.pool());
                var refrain = Refrain.using(store);
                var otherInstance = Refrain.using(otherStore)) {
            meter.at(0, 2, "leased runs");
            var afterLeased = heardAfter(leased(refrain), leased(otherInstance));
            meter.at(1, 2, "transactional runs");
            var afterTransactional =
                    heardAfter(transactional(refrain, store), transactional(otherInstance, otherStore));
            return new BenchmarkResult(
                    title(),
                    afterLeased,
                    ROUNDS * RUNS,
                    List.of(SecondaryMeasurement.of("after a transactional run", afterTransactional.median(), "ms")
                            .barred(BenchmarkThreshold.atMost(20))),
                    List.of());
        }
    }

    private static Instance leased(Refrain refrain) {
        var operation = operation(refrain).leased(LeaseExpiryPolicy.RESUME);
        return (call, time) -> operation.run(call, claim -> answerAfter(time));
    }

    private static Instance transactional(Refrain refrain, JdbcStore store) {
        var operation = operation(refrain).transactional(store.transactions());
        return (call, time) -> operation.run(call, (claim, connection) -> answerAfter(time));
    }

    private static Operation<Outcome.Answer> operation(Refrain refrain) {
        return refrain.operation(SampleTraffic.OPERATION).waitWhileInFlight(LONG_ENOUGH);
    }

    private static Outcome.Answer answerAfter(Duration time) throws InterruptedException {
        Thread.sleep(time);
        return SampleTraffic.answer();
    }

    private static QuartileSpread heardAfter(Instance runner, Instance waiter) throws Exception {
        var unused = round(runner, waiter);
        var after = new ArrayList<Double>();
        for (int i = 0; i < ROUNDS; i++) {
            after.addAll(round(runner, waiter));
        }
        return QuartileSpread.of(after);
    }

    private static List<Double> round(Instance runner, Instance waiter) throws Exception {
        var ends = new ArrayList<Future<Long>>();
        var heard = new ArrayList<Future<Long>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = SampleTraffic.calls(RUNS);
            for (int i = 0; i < RUNS; i++) {
                var call = calls[i];
                var time = FIRST_END.plus(APART.multipliedBy(i));
                ends.add(threads.submit(timed(() -> runner.run(call, time))));
            }
            Thread.sleep(CLAIMED);
            for (var call : calls) {
                heard.add(threads.submit(timed(() -> waiter.run(call, LONG_ENOUGH))));
            }
        }
        var after = new ArrayList<Double>();
        for (int i = 0; i < RUNS; i++) {
            after.add((heard.get(i).get() - ends.get(i).get()) / NANOS_PER_MILLI);
        }
        return after;
    }

    /** Work that may fail. */
    @FunctionalInterface
    private interface Work {
        void run() throws Exception;
    }

    private static Callable<Long> timed(Work work) {
        return () -> {
            work.run();
            return System.nanoTime();
        };
    }
}
