package dev.refrain.saga;

import dev.refrain.ValueCodec;
import dev.refrain.api.ClaimRef;
import dev.refrain.api.RecordId;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** How a saga ended, or that it has not yet. */
public sealed interface SagaResult {

    /** Every step happened. */
    final class Completed implements SagaResult {

        private final SagaState state;
        private final ValueCodec codec;

        Completed(SagaState state, ValueCodec codec) {
            this.state = state;
            this.codec = codec;
        }

        /** What a step gave. */
        public <T> T result(String step, Class<T> type) {
            return state.result(step, type, codec);
        }
    }

    /**
     * A step failed, and what had happened before it was undone.
     *
     * @param undone the steps, in the order in which they were undone
     * @param givenUp whose compensation failed for good and was given up by a person, and why it failed
     */
    record Compensated(StepFailure failure, List<String> undone, Map<String, String> givenUp) implements SagaResult {}

    /**
     * A step failed, and some of what had happened could not be undone: that waits for a person. All else is undone.
     *
     * @param dead whose compensation failed for good, and why
     */
    record Stuck(StepFailure failure, List<String> undone, Map<String, String> dead) implements SagaResult {}

    /** It is under way, here or elsewhere. It goes on without its caller if there is a completer. */
    record Unfinished(Duration retryAfter) implements SagaResult {}

    /** Its id belongs to another request, whose record this is. Nothing ran. */
    record Mismatch(RecordId id) implements SagaResult {}

    /** What became of it is unknown; the named claim waits for a decision. Nothing ran. */
    record Attention(ClaimRef claim) implements SagaResult {}
}
