package dev.refrain.saga;

import dev.refrain.flow.PhaseContext;

/**
 * Where a saga stands, as a compensation sees it.
 *
 * <p>If it is not certain that the step happened, the compensation has to bear that: find out by {@link #stepKey}, or tell the other system
 * to undo what has that key <em>if</em> it is there, and to refuse it if it comes later.
 */
public final class CompensationContext<R> extends SagaStepContext<R> {

    private final String step;
    private final String stepKey;

    CompensationContext(PhaseContext<R> at, String step, String key, SagaState state) {
        super(at, key, state);
        this.step = step;
        this.stepKey = at.recordId().keyFor(step);
    }

    /** The key of what is to be undone. */
    public String stepKey() {
        return stepKey;
    }

    /** Whether the step certainly happened; then there is a {@link #result} of it. Otherwise it is not known. */
    public boolean stepHappened() {
        return state().isDone(step);
    }
}
