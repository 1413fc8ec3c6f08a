package dev.refrain.saga;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.RecordState;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Status of a saga and of its steps, for people; without their results.
 *
 * @param claim the claim by which it is resolved, unless it changes
 * @param failure the step that failed and why, if one did
 */
public record SagaView(
        ScopedKey identity,
        ClaimRef claim,
        RecordState state,
        Status status,
        Optional<StepFailure> failure,
        List<StepView> steps) {

    /** Status of a saga. */
    public enum Status {
        /** Its steps are running. */
        RUNNING,
        /** A step failed, and the steps before it are being compensated. */
        COMPENSATING,
        /** A compensation failed and waits for a person, or for its retry. */
        STUCK,
        /** Every step happened. */
        COMPLETED,
        /** A step failed, and the saga was compensated. */
        COMPENSATED,
        /** The saga has ended, and its result is not kept. */
        ENDED;

        /**
         * Returns the status of a saga that has not ended.
         *
         * @param recoveryPoint where it stands; null if it has passed no point yet
         */
        public static Status at(@Nullable RecoveryPoint recoveryPoint) {
            return Optional.ofNullable(recoveryPoint)
                    .map(RecoveryPoint::name)
                    .map(point -> SagaFlowBuilder.isDead(point)
                            ? STUCK
                            : SagaFlowBuilder.isUndo(point) ? COMPENSATING : RUNNING)
                    .orElse(RUNNING);
        }
    }

    /** Status of a step. */
    public enum StepStatus {
        TO_DO,
        /** The step runs next. */
        NEXT,
        DONE,
        FAILED,
        /** The step failed and may have happened nevertheless. */
        MAY_HAVE_HAPPENED,
        UNDONE,
        /** Its compensation failed. */
        NOT_UNDONE
    }

    /**
     * Status of one step.
     *
     * @param reason why it failed, or why its compensation failed
     */
    public record StepView(String name, StepStatus status, Optional<String> reason) {}

    public SagaView {
        steps = List.copyOf(steps);
    }

    /** Returns whether the saga waits for a person at a step, so that it can be had compensated. */
    public boolean canBeCompensated() {
        return state == RecordState.ATTENTION && status == Status.RUNNING;
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
