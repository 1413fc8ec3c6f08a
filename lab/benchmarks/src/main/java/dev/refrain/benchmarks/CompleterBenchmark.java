package dev.refrain.benchmarks;

import dev.refrain.api.ClientKey;
import dev.refrain.flow.CompleterSettings;
import dev.refrain.flow.FlowRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Measures how fast the completer finishes flows whose callers left after the charge, and checks that none is charged under a second key.
 */
final class CompleterBenchmark implements BenchmarkCase {

    private static final Duration QUICKLY = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final int AT_ONCE = 64;

    /** Simulated loss of the connection to the bank. */
    private static final class Broken extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Override
    public BenchmarkTitle title() {
        return new BenchmarkTitle(
                "completer",
                "10,000 abandoned flows: left unfinished or doubled",
                "flows",
                BenchmarkThreshold.atMost(0));
    }

    @Override
    public BenchmarkResult measure(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception {
        int count = lab.scale().abandoned();
        var charges = ConcurrentHashMap.<String>newKeySet();
        var broken = new AtomicBoolean(true);
        try (var side = new FlowWorkload(lab.freshDatabase(), key -> {
            charges.add(key);
            if (broken.get()) {
                throw new Broken();
            }
            return key;
        })) {
            abandon(side, count, meter);
            // As if their leases had been over for a while.
            side.shop().execute("UPDATE refrain_payload SET due_at = now() - interval '1 hour' WHERE kind = 2");
            broken.set(false);
            long begun = System.nanoTime();
            try (var completer = side.flows()
                    .startCompleter(
                            new CompleterSettings(QUICKLY, Duration.ZERO, Duration.ofMinutes(1), 10, AT_ONCE),
                            List.of(side.orders()))) {
                awaitAll(side, count, begun, meter);
            }
            double seconds = (System.nanoTime() - begun) / 1e9;
            long wrong = count - receipts(side) + Math.abs(charges.size() - count);
            return new BenchmarkResult(
                    title(),
                    QuartileSpread.single((double) wrong),
                    1,
                    List.of(
                            SecondaryMeasurement.of("flows", count, "abandoned"),
                            SecondaryMeasurement.of("finished", count / seconds, "per second")),
                    List.of());
        }
    }

    private static void abandon(FlowWorkload side, int count, CaseProgressListener meter) throws InterruptedException {
        var room = new Semaphore(AT_ONCE);
        var failures = new ConcurrentLinkedQueue<Exception>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < count; i++) {
                room.acquire();
                meter.at(i, count, "abandoning flow " + i + " of " + count);
                threads.execute(() -> {
                    try {
                        var call = SampleTraffic.call();
                        side.flows()
                                .runForResult(
                                        side.orders(),
                                        FlowRequest.of(
                                                ClientKey.scope(call.scope()).key(call.key()), OrderTables.REQUEST));
                    } catch (Broken wanted) {
                        // So that the caller goes away.
                    } catch (Exception e) {
                        failures.add(e);
                    } finally {
                        room.release();
                    }
                });
            }
        }
        if (!failures.isEmpty()) {
            throw new MeasurementFailedException("A flow could not be begun.", failures.peek());
        }
    }

    private static void awaitAll(FlowWorkload side, int count, long begun, CaseProgressListener meter)
            throws Exception {
        long done = receipts(side);
        while (done < count) {
            if (System.nanoTime() - begun > LONGEST.toNanos()) {
                throw new MeasurementFailedException(
                        "Only " + done + " of " + count + " flows were finished within " + LONGEST);
            }
            meter.at((int) done, count, "finished " + done + " of " + count);
            Thread.sleep(QUICKLY);
            done = receipts(side);
        }
    }

    private static long receipts(FlowWorkload side) throws SQLException {
        try (var connection = side.shop().pool().getConnection();
                var statement = connection.createStatement();
                var result = statement.executeQuery("SELECT count(*) FROM receipts")) {
            result.next();
            return result.getLong(1);
        }
    }
}
