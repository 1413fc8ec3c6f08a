package dev.refrain.saga;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.RecordState;
import java.util.List;
import java.util.Optional;

/**
 * One saga as people see it: its steps and how far each has come, but nothing of what they said.
 *
 * @param claim by which it is decided upon, unless it moves on
 * @param failure the step that failed and why, if one did
 */
public record SagaView(
        ScopedKey identity,
        ClaimRef claim,
        RecordState state,
        Status course,
        Optional<StepFailure> failure,
        List<StepView> steps) {

    /** Where a saga is going. */
    public enum Status {
        /** Forward. */
        RUNNING,
        /** A step failed: what happened before it is being undone. */
        COMPENSATING,
        /** Something could not be undone: that waits for a person, or for its next try. */
        STUCK,
        /** Every step happened. */
        COMPLETED,
        /** It failed, and was undone. */
        COMPENSATED,
        /** It has ended; how is not kept. */
        ENDED;

        /** Of one that has not ended, by the point it stands at. */
        public static Status at(Optional<String> recoveryPoint) {
            return recoveryPoint
                    .map(point -> SagaFlowBuilder.isDead(point)
                            ? STUCK
                            : SagaFlowBuilder.isUndo(point) ? COMPENSATING : RUNNING)
                    .orElse(RUNNING);
        }
    }

    /** How far a step has come. */
    public enum StepStatus {
        TO_DO,
        /** It is its turn. */
        NEXT,
        DONE,
        FAILED,
        /** It failed and may have happened nevertheless. */
        MAY_HAVE_HAPPENED,
        UNDONE,
        /** It could not be undone. */
        NOT_UNDONE
    }

    /** @param why it failed, or could not be undone */
    public record StepView(String name, StepStatus progress, Optional<String> why) {}

    public SagaView {
        steps = List.copyOf(steps);
    }

    static StepView step(String name, SagaState state, Optional<String> next) {
        if (state.failedCompensations().containsKey(name)) {
            return new StepView(
                    name,
                    StepStatus.NOT_UNDONE,
                    Optional.ofNullable(state.failedCompensations().get(name)));
        }
        if (state.compensated().contains(name)) {
            return new StepView(name, StepStatus.UNDONE, Optional.empty());
        }
        var failed = state.failure().filter(failure -> failure.step().equals(name));
        if (failed.isPresent()) {
            return new StepView(
                    name,
                    failed.get().mayHaveHappened() ? StepStatus.MAY_HAVE_HAPPENED : StepStatus.FAILED,
                    failed.map(StepFailure::reason));
        }
        return new StepView(
                name,
                state.isDone(name)
                        ? StepStatus.DONE
                        : next.filter(name::equals).isPresent() ? StepStatus.NEXT : StepStatus.TO_DO,
                Optional.empty());
    }
}
