package dev.refrain.saga;

import dev.refrain.ResultType;
import dev.refrain.api.RecordId;
import dev.refrain.flow.PhaseContext;
import java.util.Map;
import java.util.Optional;

/**
 * State of a saga as a step sees it: its request, its caller, the step's key and the results of earlier steps.
 *
 * @param <R> the saga's request
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

    /** Returns the request that the saga was begun with. */
    public final R request() {
        return at.request();
    }

    /** Returns whose saga this is, as given with the request. */
    public final String scope() {
        return at.scope();
    }

    /** Returns the data about the caller that was given with the request. */
    public final Map<String, String> principal() {
        return at.principal();
    }

    /** Returns the person that the saga is about, if one was given with the request. */
    public final Optional<String> subject() {
        return at.subject();
    }

    /** Returns the id of the record, the same for every run of this saga. */
    public final RecordId recordId() {
        return at.recordId();
    }

    /** Returns the key of this step or compensation: the same for every attempt, another one for every other step. */
    public final String key() {
        return key;
    }

    /** Returns the result of an earlier step, decoded by the codec. */
    public final <T> T result(String step, Class<T> type) {
        return result(step, ResultType.of(type));
    }

    /** Returns the result of an earlier step, decoded as a generic type: {@code new ResultType<List<Charge>>() {}}. */
    public final <T> T result(String step, ResultType<T> type) {
        return state.result(step, type, at.codec());
    }

    final SagaState state() {
        return state;
    }
}
