package dev.refrain.benchmarks;

import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** Requests whose keys have been used, over HTTP, against ones that nothing is kept of. */
final class Replays {

    private static final int KEYS = 2_000;

    private Replays() {}

    static Compared compared(Pairs pairs, int port, String kept, String notKept) throws Exception {
        var used = Stream.generate(HttpCase::newKey).limit(KEYS).toList();
        var next = used.iterator();
        try (var first = new HttpSide("first", port, kept, next::next)) {
            for (int i = 0; i < KEYS; i++) {
                first.callOnce();
            }
        }
        try (var again = new HttpSide(
                        "replay",
                        port,
                        kept,
                        () -> used.get(ThreadLocalRandom.current().nextInt(KEYS)));
                var other = new HttpSide(notKept.substring(1), port, notKept, HttpCase::newKey)) {
            return pairs.compare(again, other, HttpCase.CALLERS);
        }
    }
}
