package dev.refrain.flow.saga;

import dev.refrain.key.Identity;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.State;
import java.util.List;
import java.util.Optional;

/**
 * One saga as people see it: its steps and how far each has come, but nothing of what they said.
 *
 * @param claim by which it is decided upon, unless it moves on
 * @param failure the step that failed and why, if one did
 */
public record SagaView(
        Identity identity,
        ClaimRef claim,
        State state,
        Course course,
        Optional<StepFailure> failure,
        List<Step> steps) {

    /** Where a saga is going. */
    public enum Course {
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
        public static Course at(Optional<String> recoveryPoint) {
            return recoveryPoint
                    .map(point -> SagaFlow.isDead(point) ? STUCK : SagaFlow.isUndo(point) ? COMPENSATING : RUNNING)
                    .orElse(RUNNING);
        }
    }

    /** How far a step has come. */
    public enum Progress {
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
    public record Step(String name, Progress progress, Optional<String> why) {}

    public SagaView {
        steps = List.copyOf(steps);
    }

    static Step step(String name, SagaState state, Optional<String> next) {
        if (state.failedCompensations().containsKey(name)) {
            return new Step(
                    name, Progress.NOT_UNDONE, Optional.ofNullable(state.failedCompensations().get(name)));
        }
        if (state.compensated().contains(name)) {
            return new Step(name, Progress.UNDONE, Optional.empty());
        }
        var failed = state.failure().filter(failure -> failure.step().equals(name));
        if (failed.isPresent()) {
            return new Step(
                    name,
                    failed.get().mayHaveHappened() ? Progress.MAY_HAVE_HAPPENED : Progress.FAILED,
                    failed.map(StepFailure::reason));
        }
        return new Step(
                name,
                state.isDone(name)
                        ? Progress.DONE
                        : next.filter(name::equals).isPresent() ? Progress.NEXT : Progress.TO_DO,
                Optional.empty());
    }
}
