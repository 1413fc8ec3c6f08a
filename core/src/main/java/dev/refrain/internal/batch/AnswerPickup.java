package dev.refrain.internal.batch;

import dev.refrain.api.ExecutionEnvironment;
import java.time.Duration;
import java.util.List;

/**
 * Wait of a sender until the callers have taken large answers: otherwise a store that is faster than they are would fill the memory with
 * outcomes that nobody has looked at.
 */
final class AnswerPickup {

    private static final Duration PAUSE = Duration.ofMillis(1);

    /** Number of pauses after which a sender goes on: a second. */
    private static final int MOST_PAUSES = 1_000;

    private static final long LARGE_BYTES = 1 << 20;

    private AnswerPickup() {}

    /** Waits for the callers of a batch, if its answers are large; not for ever. */
    static void await(List<? extends QueuedRequest<?, ?>> batch, long bytes, ExecutionEnvironment environment) {
        for (int i = 0; bytes > LARGE_BYTES && i < MOST_PAUSES && hasUntaken(batch); i++) {
            environment.sleep(PAUSE);
        }
    }

    private static boolean hasUntaken(List<? extends QueuedRequest<?, ?>> batch) {
        for (var request : batch) {
            if (request.isDone() && !request.isTaken()) {
                return true;
            }
        }
        return false;
    }
}
