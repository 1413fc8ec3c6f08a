package dev.refrain.examples.spring.provider;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Faults of the bank's responses. Thread-safe. */
final class BankFaultInjector {

    private final AtomicInteger toLose = new AtomicInteger();
    private volatile Duration slow = Duration.ZERO;

    /**
     * Sets the faults.
     *
     * @param query for example {@code lose=2&slow=3s}; faults that are missing are switched off
     */
    void set(String query) {
        int lose = 0;
        Duration pause = Duration.ZERO;
        for (String setting : query.split("&", -1)) {
            if (setting.startsWith("lose=")) {
                lose = Integer.parseInt(setting.substring("lose=".length()));
            } else if (setting.startsWith("slow=")) {
                pause = Duration.parse("PT" + setting.substring("slow=".length()));
            }
        }
        toLose.set(lose);
        slow = pause;
    }

    /** Current settings. */
    record FaultSettings(int lose, String slow) {}

    FaultSettings settings() {
        return new FaultSettings(toLose.get(), slow.toString());
    }

    /** Applies the delay and returns whether this response gets lost. */
    boolean delaysOrLosesResponse() {
        try {
            Thread.sleep(slow);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return toLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    }
}
