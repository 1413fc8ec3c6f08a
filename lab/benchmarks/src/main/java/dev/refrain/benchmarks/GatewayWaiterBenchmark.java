package dev.refrain.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Measures the memory per client of a gateway whose clients all wait for a slow upstream, each on its own connection. */
record GatewayWaiterBenchmark() implements BenchmarkCase {

    private static final double KIB = 1024;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final int PER_TENANT = 1_000;
    private static final long LONGEST = TimeUnit.MINUTES.toNanos(1);

    @Override
    public BenchmarkTitle title() {
        return new BenchmarkTitle(
                "gateway-parked",
                "gateway's heap per client, 10,000 clients waiting for slow keys",
                "KiB per client",
                BenchmarkThreshold.atMost(64));
    }

    @Override
    public BenchmarkResult measure(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception {
        int count = lab.scale().waiters();
        meter.at(0, 1, "starting a gateway of its own");
        try (var service = new BareUpstreamServer();
                var gateway = new GatewaySubprocess(service.url(), "jdbc:sqlite:" + lab.freshFile("gateway.db"));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            int tenants = (count + PER_TENANT - 1) / PER_TENANT;
            var first = IntStream.range(0, tenants)
                    .mapToObj(tenant -> threads.submit(client(gateway, tenant)))
                    .toList();
            await(service, tenants);
            long before = gateway.heapInUse();
            meter.at(0, 1, "parking " + count + " clients");
            var waiting = new ArrayList<>(first);
            for (int i = 0; i < count; i++) {
                waiting.add(threads.submit(client(gateway, i % tenants)));
            }
            await(gateway, count, waiting);
            double each = (gateway.heapInUse() - before) / KIB / count;
            long finished = System.nanoTime();
            service.answerAll();
            double last = (lastAnswered(waiting) - finished) / NANOS_PER_MILLI;
            var readings = List.of(
                    SecondaryMeasurement.of("the last client is answered after", last, "ms"),
                    SecondaryMeasurement.of(
                            "the gateway starts in", (double) gateway.startUp().toMillis(), "ms"));
            return new BenchmarkResult(title(), QuartileSpread.single(each), 1, readings, List.of());
        }
    }

    /** @return when it was answered */
    private static Callable<Long> client(GatewaySubprocess gateway, int tenant) {
        return () -> {
            try (var client = new HttpRequestWorkload(
                            "waiter", gateway.port(), BareUpstreamServer.SLOW, () -> "one-key-of-each")
                    .with(GatewaySubprocess.TENANT + ": tenant-" + tenant)) {
                client.callOnce();
                return System.nanoTime();
            }
        };
    }

    private static void await(BareUpstreamServer service, int requests) throws InterruptedException {
        for (long since = System.nanoTime(); service.waiting() < requests; Thread.sleep(10)) {
            limit(since, "The service was not asked");
        }
    }

    private static void await(GatewaySubprocess gateway, int waiters, List<Future<Long>> clients) throws Exception {
        for (long since = System.nanoTime(); gateway.waiting() < waiters; Thread.sleep(100)) {
            for (var client : clients) {
                if (client.isDone()) {
                    throw new MeasurementFailedException("A client was answered too soon, at " + client.get() + ".");
                }
            }
            limit(since, "Not all of " + waiters + " clients were told to wait");
        }
    }

    private static void limit(long since, String what) {
        if (System.nanoTime() - since > LONGEST) {
            throw new MeasurementFailedException(what + " within a minute.");
        }
    }

    private static long lastAnswered(List<Future<Long>> clients) throws Exception {
        long last = Long.MIN_VALUE;
        for (var client : clients) {
            last = Math.max(last, client.get());
        }
        return last;
    }
}
