package dev.refrain.saga;

import dev.refrain.ResultType;
import dev.refrain.ValueCodec;
import dev.refrain.api.ClaimRef;
import dev.refrain.api.RecordId;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Ending of a saga's run: completed, compensated, stuck, unfinished, or refused. */
public sealed interface SagaResult {

    /** Every step happened. */
    final class Completed implements SagaResult {

        private final SagaState state;
        private final ValueCodec codec;

        Completed(SagaState state, ValueCodec codec) {
            this.state = state;
            this.codec = codec;
        }

        /**
         * Returns the result of a step, decoded by the codec.
         *
         * @throws IllegalStateException if the step returned nothing
         */
        public <T> T result(String step, Class<T> type) {
            return result(step, ResultType.of(type));
        }

        /**
         * Returns the result of a step, decoded as a generic type: {@code new ResultType<List<Charge>>() {}}.
         *
         * @throws IllegalStateException if the step returned nothing
         */
        public <T> T result(String step, ResultType<T> type) {
            return state.result(step, type, codec);
        }
    }

    /**
     * A step failed, and the steps before it were compensated.
     *
     * @param compensatedSteps the compensated steps, in the order of their compensation
     * @param abandonedCompensations steps whose compensation failed and was abandoned by a person, each with the reason of its failure
     */
    record Compensated(StepFailure failure, List<String> compensatedSteps, Map<String, String> abandonedCompensations)
            implements SagaResult {}

    /**
     * A step failed, and some compensations failed too: a person has to retry or abandon them. All others are done.
     *
     * @param failedCompensations steps whose compensation failed, each with the reason
     */
    record Stuck(StepFailure failure, List<String> compensatedSteps, Map<String, String> failedCompensations)
            implements SagaResult {}

    /** The saga is still running, here or elsewhere. A completer continues it without its caller. */
    record Unfinished(Duration retryAfter) implements SagaResult {}

    /** The id belongs to another request, whose record this is. Nothing ran. */
    record Mismatch(RecordId id) implements SagaResult {}

    /** The outcome is unknown, and the named claim waits for a person. Nothing ran. */
    record Attention(ClaimRef claim) implements SagaResult {}
}
