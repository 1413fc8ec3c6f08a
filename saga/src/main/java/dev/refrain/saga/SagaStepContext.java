package dev.refrain.saga;

import dev.refrain.api.RecordId;
import dev.refrain.flow.PhaseContext;
import java.util.Map;

/**
 * Where a saga stands, as a step sees it.
 *
 * @param <R> its request
 */
public sealed class SagaStepContext<R> permits CompensationContext {

    private final PhaseContext<R> at;
    private final String key;
    private final SagaState state;

    SagaStepContext(PhaseContext<R> at, String key, SagaState state) {
        this.at = at;
        this.key = key;
        this.state = state;
    }

    public final R request() {
        return at.request();
    }

    /** Who asks, as it was given with the request. */
    public final String scope() {
        return at.scope();
    }

    /** What was captured of the caller: data, never tokens. */
    public final Map<String, String> principal() {
        return at.principal();
    }

    /** The same for every run of this saga. */
    public final RecordId recordId() {
        return at.recordId();
    }

    /** For this step, or this compensation: the same for every attempt, another one for every other step. */
    public final String key() {
        return key;
    }

    /** What an earlier step gave. */
    public final <T> T result(String step, Class<T> type) {
        return state.result(step, type, at.codec());
    }

    final SagaState state() {
        return state;
    }
}
