package dev.refrain.crash;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Somebody else's ledger, which no crash of ours touches. */
final class FakeBank {

    private final Map<String, String> byKey = new ConcurrentHashMap<>();
    private final AtomicInteger charges = new AtomicInteger();

    /** Once for each key. */
    String charge(String key) {
        return byKey.computeIfAbsent(key, k -> charge());
    }

    String charge() {
        return "ch_" + charges.incrementAndGet();
    }

    int charges() {
        return charges.get();
    }
}
