package dev.refrain.saga;

import dev.refrain.flow.PhaseContext;

/**
 * State of a saga as a compensation sees it.
 *
 * <p>If {@link #stepHappened} is false, the step may or may not have happened: look it up by {@link #stepKey}, or have the other system undo
 * the call with that key <em>if</em> it arrived, and refuse it if it arrives later.
 */
public final class CompensationContext<R> extends SagaStepContext<R> {

    private final String step;
    private final String stepKey;

    CompensationContext(PhaseContext<R> at, String step, String key, SagaState state) {
        super(at, key, state);
        this.step = step;
        this.stepKey = at.recordId().keyFor(step);
    }

    /** Returns the key of the step that is compensated. */
    public String stepKey() {
        return stepKey;
    }

    /** Returns whether the step certainly happened, so that it has a {@link #result}. */
    public boolean stepHappened() {
        return state().isDone(step);
    }
}
