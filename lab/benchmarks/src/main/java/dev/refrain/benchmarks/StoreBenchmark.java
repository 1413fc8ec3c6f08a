package dev.refrain.benchmarks;

import dev.refrain.store.StoreLocation;
import io.lettuce.core.RedisURI;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Compares claim, complete and replay on the store of a URL with the bare driver doing the same writes: from one thread, in batches, the two sides in
 * turn. The keys stay in the store until they expire after a day.
 */
final class StoreBenchmark {

    private static final int ANSWER_BYTES = 200;
    private static final int[] BATCHES = {1, 64};
    private static final List<String> STEPS = List.of("claim", "complete", "replay");

    private final StoreLocation location;
    private final int pairs;
    private final long nanosPerSlice;
    private final byte[] answer = new byte[ANSWER_BYTES];

    StoreBenchmark(StoreLocation location, int pairs, long nanosPerSlice) {
        this.location = location;
        this.pairs = pairs;
        this.nanosPerSlice = nanosPerSlice;
        new Random(1).nextBytes(answer);
    }

    static StoreBenchmark of(StoreLocation location, boolean quick) {
        return quick ? new StoreBenchmark(location, 5, 300_000_000L) : new StoreBenchmark(location, 20, 1_000_000_000L);
    }

    /** Measures and prints one table. */
    void run(PrintWriter out) {
        var store = location.open();
        out.println(store.traits().name() + ", one thread, answers of " + ANSWER_BYTES + " bytes, median of " + pairs
                + " pairs");
        out.printf("%-9s %6s %14s %14s %8s%n", "step", "batch", "store (keys/s)", "bare (keys/s)", "ratio");
        try (StoreWrites ours = new ProtectedStoreWrites(store, answer);
                StoreWrites bare = bare().orElse(null)) {
            for (int batch : BATCHES) {
                compare(ours, Optional.ofNullable(bare), batch, out);
            }
        }
        out.flush();
    }

    private Optional<StoreWrites> bare() {
        String url = location.url();
        if (!url.startsWith("redis://") && !url.startsWith("rediss://")) {
            return Optional.empty();
        }
        var uri = RedisURI.create(url.replaceFirst("\\?.*", ""));
        location.password()
                .ifPresent(secret -> location.user()
                        .ifPresentOrElse(
                                user -> uri.setAuthentication(user, secret), () -> uri.setAuthentication(secret)));
        return Optional.of(new BareRedisWrites(uri, answer));
    }

    private void compare(StoreWrites ours, Optional<StoreWrites> bare, int batch, PrintWriter out) {
        slice(ours, batch);
        bare.ifPresent(side -> slice(side, batch));
        var rates = new ArrayList<double[]>();
        var bareRates = new ArrayList<double[]>();
        for (int pair = 0; pair < pairs; pair++) {
            rates.add(slice(ours, batch));
            bare.ifPresent(side -> bareRates.add(slice(side, batch)));
        }
        for (int step = 0; step < STEPS.size(); step++) {
            int at = step;
            double own = median(rates.stream().map(rate -> rate[at]).toList());
            if (bareRates.isEmpty()) {
                out.printf(Locale.ROOT, "%-9s %6d %,14.0f %14s %8s%n", STEPS.get(step), batch, own, "-", "-");
            } else {
                double theirs = median(bareRates.stream().map(rate -> rate[at]).toList());
                double ratio = median(IntStream.range(0, pairs)
                        .mapToObj(pair -> rates.get(pair)[at] / bareRates.get(pair)[at])
                        .toList());
                out.printf(Locale.ROOT, "%-9s %6d %,14.0f %,14.0f %8.2f%n", STEPS.get(step), batch, own, theirs, ratio);
            }
        }
        out.flush();
    }

    private static double median(List<Double> numbers) {
        return QuartileSpread.of(numbers).median();
    }

    /** Returns keys per second of each step. */
    private double[] slice(StoreWrites side, int batch) {
        var nanos = new long[STEPS.size()];
        long keys = 0;
        String name = UUID.randomUUID().toString();
        for (long begun = System.nanoTime(); System.nanoTime() - begun < nanosPerSlice; keys += batch) {
            long first = keys;
            var chosen = IntStream.range(0, batch)
                    .mapToObj(i -> name + "-" + (first + i))
                    .toList();
            nanos[0] += timed(() -> side.claim(chosen));
            nanos[1] += timed(() -> side.complete(chosen));
            nanos[2] += timed(() -> side.replay(chosen));
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
