package dev.refrain.store.jdbc.internal.record;

import dev.refrain.store.ClaimRequest;
import java.util.List;

/**
 * Whether the keys of the next batch are likely to be new, judged by the last one. Right or wrong, the answers are the same;
 * only the time they take is not. Safe for use by many threads.
 */
public final class NewKeyPredictor {

    /** In a smaller batch a second round trip for what was not new weighs more than what is saved. */
    private static final int CROWD = 8;

    /** Of a batch, at most this part was there already. */
    private static final int ONE_IN = 16;

    private volatile boolean expectsAllNew;

    /** Whether it is worth trying to make all of them before reading any. */
    boolean expectsAllNew(List<ClaimRequest> requests) {
        return expectsAllNew
                && requests.size() >= CROWD
                && requests.stream().allMatch(r -> r.request().isEmpty());
    }

    void observe(int made, int asked) {
        if (asked >= CROWD) {
            expectsAllNew = (asked - made) * ONE_IN <= asked;
        }
    }

    void reset() {
        expectsAllNew = false;
    }
}
