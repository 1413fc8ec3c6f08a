package dev.refrain.benchmarks;

import dev.refrain.store.Store;
import dev.refrain.store.StoreLocation;
import dev.refrain.store.jdbc.JdbcStore;
import io.lettuce.core.RedisURI;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Compares claim, complete and replay on stores with the bare driver doing the same writes: from one thread, in batches, the two sides in
 * turn. One table for all stores. The keys stay in a store until they expire after a day.
 */
final class StoreBenchmark {

    private static final int ANSWER_BYTES = 200;
    private static final int WARM_UPS = 3;
    private static final int LEAST_KEYS = 256;
    private static final int LEAST_BATCHES = 8;
    private static final int[] BATCHES = {1, 64};
    private static final List<String> STEPS = List.of("claim", "complete", "replay");

    private final int pairs;
    private final long nanosPerSlice;
    private final PrintWriter out;
    private final byte[] answer = new byte[ANSWER_BYTES];

    StoreBenchmark(int pairs, long nanosPerSlice, PrintWriter out) {
        this.pairs = pairs;
        this.nanosPerSlice = nanosPerSlice;
        this.out = out;
        new Random(1).nextBytes(answer);
        out.println("One thread, answers of " + ANSWER_BYTES + " bytes, median of " + pairs + " pairs");
        out.printf(
                "%-24s %-9s %6s %14s %14s %8s%n", "store", "step", "batch", "store (keys/s)", "bare (keys/s)", "ratio");
        out.flush();
    }

    static StoreBenchmark of(boolean quick, PrintWriter out) {
        return quick ? new StoreBenchmark(5, 300_000_000L, out) : new StoreBenchmark(20, 1_000_000_000L, out);
    }

    /** Measures a store and prints its rows. */
    void measure(StoreLocation location) {
        var store = location.open();
        try (StoreWrites ours = new ProtectedStoreWrites(store, answer);
                StoreWrites bare = bare(store, location)) {
            for (int batch : BATCHES) {
                compare(store.traits().name(), ours, bare, batch);
            }
        }
    }

    private StoreWrites bare(Store store, StoreLocation location) {
        if (store instanceof JdbcStore database) {
            return new BareJdbcWrites(database.dataSource(), answer);
        }
        if (location.url().startsWith("dynamodb:")) {
            return new BareDynamoDbWrites(location, answer);
        }
        var uri = RedisURI.create(location.url().replaceFirst("\\?.*", ""));
        location.password()
                .ifPresent(secret -> location.user()
                        .ifPresentOrElse(
                                user -> uri.setAuthentication(user, secret), () -> uri.setAuthentication(secret)));
        return new BareRedisWrites(uri, answer);
    }

    private void compare(String name, StoreWrites ours, StoreWrites bare, int batch) {
        for (int i = 0; i < WARM_UPS; i++) {
            slice(ours, batch);
            slice(bare, batch);
        }
        var rates = new ArrayList<double[]>();
        var bareRates = new ArrayList<double[]>();
        for (int pair = 0; pair < pairs; pair++) {
            if (pair % 2 == 0) {
                rates.add(slice(ours, batch));
            }
            bareRates.add(slice(bare, batch));
            if (pair % 2 == 1) {
                rates.add(slice(ours, batch));
            }
        }
        for (int step = 0; step < STEPS.size(); step++) {
            int at = step;
            double own = median(rates.stream().map(rate -> rate[at]).toList());
            double theirs = median(bareRates.stream().map(rate -> rate[at]).toList());
            double ratio = median(IntStream.range(0, pairs)
                    .mapToObj(pair -> rates.get(pair)[at] / bareRates.get(pair)[at])
                    .toList());
            out.printf(
                    Locale.ROOT,
                    "%-24s %-9s %6d %,14.0f %,14.0f %8.2f%n",
                    name,
                    STEPS.get(step),
                    batch,
                    own,
                    theirs,
                    ratio);
        }
        out.flush();
    }

    private static double median(List<Double> numbers) {
        return QuartileSpread.of(numbers).median();
    }

    /** Returns keys per second of each step: some batches of one, then those of the next, as a store meets them where retries are rare. */
    private double[] slice(StoreWrites side, int batch) {
        var nanos = new long[STEPS.size()];
        long keys = 0;
        String name = UUID.randomUUID().toString();
        for (long begun = System.nanoTime(); System.nanoTime() - begun < nanosPerSlice; ) {
            var batches = new ArrayList<List<String>>();
            for (int i = 0; i < Math.max(LEAST_BATCHES, LEAST_KEYS / batch); i++, keys += batch) {
                long first = keys;
                batches.add(LongStream.range(first, first + batch)
                        .mapToObj(number -> name + "-" + number)
                        .toList());
            }
            nanos[0] += timed(() -> batches.forEach(side::claim));
            nanos[1] += timed(() -> batches.forEach(side::complete));
            nanos[2] += timed(() -> batches.forEach(side::replay));
        }
        var rates = new double[STEPS.size()];
        for (int step = 0; step < rates.length; step++) {
            rates[step] = keys * 1e9 / nanos[step];
        }
        return rates;
    }

    private static long timed(Runnable work) {
        long begun = System.nanoTime();
        work.run();
        return System.nanoTime() - begun;
    }
}
