package dev.refrain.store.jdbc.internal.record;

import dev.refrain.store.ClaimRequest;
import java.util.List;

/**
 * Predicts from the latest claims whether the keys of the next batch are new. A wrong prediction costs a round trip and never changes
 * an answer. Thread-safe.
 */
public final class NewKeyPredictor {

    /** Number of claims over which the share of existing keys is averaged. */
    private static final double MEMORY = 32;

    /** Largest share of existing keys at which inserting first is worthwhile: each of them costs a second round trip. */
    private static final double LARGEST_SHARE = 1 / 16.0;

    private volatile double existingShare = 1;

    /** Returns true if inserting all of them before reading any is worthwhile. */
    boolean expectsAllNew(List<ClaimRequest> requests) {
        return existingShare <= LARGEST_SHARE
                && requests.stream()
                        .allMatch(r -> r.request().isEmpty() && r.keptRequest().isEmpty());
    }

    /** Learns from a batch. Of two at the same time one may be forgotten. */
    void observe(int made, int asked) {
        double share = existingShare;
        double weight = Math.min(1, asked / MEMORY);
        existingShare = share + weight * ((asked - made) / (double) asked - share);
    }
}
