package dev.refrain.examples.spring.provider;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** What a bank may do to its answers. Thread-safe. */
final class BankFaultInjector {

    private final AtomicInteger toLose = new AtomicInteger();
    private volatile Duration slow = Duration.ZERO;

    /** @param query such as {@code lose=2&slow=PT3S}; what is left out is over */
    void set(String query) {
        int lose = 0;
        Duration pause = Duration.ZERO;
        for (String setting : query.split("&", -1)) {
            if (setting.startsWith("lose=")) {
                lose = Integer.parseInt(setting.substring("lose=".length()));
            } else if (setting.startsWith("slow=")) {
                pause = Duration.parse(setting.substring("slow=".length()));
            }
        }
        toLose.set(lose);
        slow = pause;
    }

    /** How it is set. */
    record FaultSettings(int lose, String slow) {}

    FaultSettings told() {
        return new FaultSettings(toLose.get(), slow.toString());
    }

    /** Takes its time, if it is slow. */
    boolean losesThisOne() {
        try {
            Thread.sleep(slow);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return toLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    }
}
