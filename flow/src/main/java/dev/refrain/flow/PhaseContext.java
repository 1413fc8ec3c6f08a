package dev.refrain.flow;

import dev.refrain.ValueCodec;
import dev.refrain.api.Payload;
import dev.refrain.api.RecordId;
import java.util.Map;
import java.util.Optional;

/**
 * Where a flow stands, as its phases see it.
 *
 * @param <R> its request
 */
public class PhaseContext<R> {

    private final String point;
    private final RecordId recordId;
    private final FlowRequest<R> asked;
    private final ValueCodec codec;
    private final Optional<Payload> carriedValue;

    PhaseContext(String point, RecordId recordId, FlowRequest<R> asked, ValueCodec codec, Optional<Payload> carried) {
        this.point = point;
        this.recordId = recordId;
        this.asked = asked;
        this.codec = codec;
        this.carriedValue = carried;
    }

    PhaseContext(PhaseContext<R> same) {
        this(same.point, same.recordId, same.asked, same.codec, same.carriedValue);
    }

    public final String point() {
        return point;
    }

    public final R request() {
        return asked.request();
    }

    /** Who asks, as it was given with the request. */
    public final String scope() {
        return asked.scope();
    }

    /** What was captured of the caller: data, never tokens. The same for whoever finishes the flow without the caller. */
    public final Map<String, String> principal() {
        return asked.principal();
    }

    /** The same for every run of this key. Rows of the application may refer to it; it is not a foreign key: records expire. */
    public final RecordId recordId() {
        return recordId;
    }

    /** What requests, carried values and answers of this flow are written with. */
    public final ValueCodec codec() {
        return codec;
    }

    /** What the last phase left for this one. */
    public final <T> T carriedValue(Class<T> type) {
        return carriedValue
                .map(payload -> type.cast(codec.decode(payload.bytes(), type)))
                .orElseThrow(() -> new IllegalStateException("Nothing was carried to the point " + point + "."));
    }
}
