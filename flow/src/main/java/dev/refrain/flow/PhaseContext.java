package dev.refrain.flow;

import dev.refrain.ResultType;
import dev.refrain.ValueCodec;
import dev.refrain.api.Payload;
import dev.refrain.api.RecordId;
import java.util.Map;
import java.util.Optional;

/**
 * State of a flow as a phase sees it: its request, its caller and the value carried to this point.
 *
 * @param <R> the flow's request
 */
public class PhaseContext<R> {

    private final String point;
    private final RecordId recordId;
    private final FlowRequest<R> request;
    private final ValueCodec codec;
    private final Optional<Payload> carriedValue;

    PhaseContext(String point, RecordId recordId, FlowRequest<R> request, ValueCodec codec, Optional<Payload> carried) {
        this.point = point;
        this.recordId = recordId;
        this.request = request;
        this.codec = codec;
        this.carriedValue = carried;
    }

    PhaseContext(PhaseContext<R> other) {
        this(other.point, other.recordId, other.request, other.codec, other.carriedValue);
    }

    /** Returns the point whose phase is running. */
    public final String point() {
        return point;
    }

    /** Returns the request that the flow was begun with. */
    public final R request() {
        return request.request();
    }

    /** Returns whose key this is, as given with the request. */
    public final String scope() {
        return request.key().scope();
    }

    /** Returns the data about the caller that was given with the request, also when a completer runs the flow. */
    public final Map<String, String> principal() {
        return request.principal();
    }

    /** Returns the person that the flow is about, if one was given with the request: for messages and jobs about the same person. */
    public final Optional<String> subject() {
        return request.subject();
    }

    /** Returns the id of the record, the same for every run of this key. Rows may refer to it, but not as a foreign key: records expire. */
    public final RecordId recordId() {
        return recordId;
    }

    /** Returns the codec for requests, carried values and results of this flow. */
    public final ValueCodec codec() {
        return codec;
    }

    /** Returns the value that the previous phase carried to this point. */
    public final <T> T carriedValue(Class<T> type) {
        return carriedValue(ResultType.of(type));
    }

    /** Returns the value of a generic type that the previous phase carried to this point. */
    public final <T> T carriedValue(ResultType<T> type) {
        return carriedValue
                .map(payload -> type.cast(codec.decode(payload.bytes(), type.type())))
                .orElseThrow(() -> new IllegalStateException("No value was carried to point " + point
                        + ". Use PhaseResult.goTo(\"" + point + "\", value) in the phase before it."));
    }
}
