package dev.refrain.benchmarks;

import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** Compares replays over HTTP with requests that are not stored. */
final class HttpReplayComparison {

    private static final int KEYS = 2_000;

    private HttpReplayComparison() {}

    static PairedComparison compared(InterleavedMeasurement pairs, int port, String kept, String notKept)
            throws Exception {
        var used = Stream.generate(SpringEndpointBenchmark::newKey).limit(KEYS).toList();
        var next = used.iterator();
        try (var first = new HttpRequestWorkload("first", port, kept, next::next)) {
            for (int i = 0; i < KEYS; i++) {
                first.callOnce();
            }
        }
        try (var again = new HttpRequestWorkload(
                        "replay",
                        port,
                        kept,
                        () -> used.get(ThreadLocalRandom.current().nextInt(KEYS)));
                var other =
                        new HttpRequestWorkload(notKept.substring(1), port, notKept, SpringEndpointBenchmark::newKey)) {
            return pairs.compare(again, other, SpringEndpointBenchmark.CALLERS);
        }
    }
}
