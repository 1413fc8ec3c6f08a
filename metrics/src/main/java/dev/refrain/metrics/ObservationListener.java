package dev.refrain.metrics;

import dev.refrain.api.RecordId;
import dev.refrain.observe.CallObserver;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Locale;
import java.util.Optional;

/**
 * Listener that turns each call of an operation into an observation, {@code refrain.call}, and so into a span where
 * tracing is on. It is current while the work runs, so that spans of the work become its children. Thread-safe.
 *
 * <table>
 * <caption>Key values</caption>
 * <tr><td>operation</td><td>low cardinality: name of the operation</td></tr>
 * <tr><td>outcome</td><td>low cardinality: first, resumed, replayed, waited (replayed after a wait), conflict, mismatch, attention,
 *     failed</td></tr>
 * <tr><td>refrain.record</td><td>high cardinality: id of the record, the same for the first run and every replay of it</td></tr>
 * </table>
 */
public final class ObservationListener implements RefrainListener {

    /** Name of the observations. */
    public static final String NAME = "refrain.call";

    static final String OPERATION = "operation";
    static final String OUTCOME = "outcome";
    static final String RECORD = "refrain.record";

    private final ObservationRegistry registry;

    public ObservationListener(ObservationRegistry registry) {
        this.registry = registry;
    }

    /** Facts about a call that are not key values. */
    private static final class CallContext extends Observation.Context {
        private boolean waited;
        private boolean resumed;
    }

    @Override
    public CallObserver onCall(String operation) {
        var call = new CallContext();
        // In small letters, as Spring's own: Micrometer Tracing 1.5 (Spring Boot 3.5) turns a capital P into "-p". The
        // exact name is a tag.
        var observation = Observation.createNotStarted(NAME, () -> call, registry)
                .contextualName("refrain " + operation.toLowerCase(Locale.ROOT))
                .lowCardinalityKeyValue(OPERATION, operation);
        return observation.isNoop() ? CallObserver.NONE : new ObservationWatch(observation.start(), call);
    }

    /** Applies the event to the call that is running on this thread. */
    @Override
    public void onEvent(RefrainEvent event) {
        switch (event) {
            case RefrainEvent.Waited waited -> current().ifPresent(call -> call.waited = true);
            case RefrainEvent.Resumed resumed ->
                current().ifPresent(call -> {
                    call.resumed = true;
                    call.addHighCardinalityKeyValue(record(resumed.id()));
                });
            case RefrainEvent.Completed completed -> setRecord(completed.id());
            case RefrainEvent.Released released -> setRecord(released.id());
            case RefrainEvent.FencedOut fenced -> setRecord(fenced.id());
            case RefrainEvent.OutcomeUnknown unknown -> setRecord(unknown.id());
            default -> {}
        }
    }

    private void setRecord(RecordId id) {
        current().ifPresent(call -> call.addHighCardinalityKeyValue(record(id)));
    }

    private Optional<CallContext> current() {
        var observation = registry.getCurrentObservation();
        return observation != null && observation.getContext() instanceof CallContext call
                ? Optional.of(call)
                : Optional.empty();
    }

    private static KeyValue record(RecordId id) {
        return KeyValue.of(RECORD, id.toString());
    }

    private record ObservationWatch(Observation observation, CallContext call) implements CallObserver {

        @Override
        public ThreadScope openScope() {
            var scope = observation.openScope();
            return scope::close;
        }

        @Override
        public void onReplay(RecordId record) {
            call.addHighCardinalityKeyValue(ObservationListener.record(record));
            onEnd(CallEnd.REPLAYED);
        }

        @Override
        public void onEnd(CallEnd end) {
            observation.lowCardinalityKeyValue(OUTCOME, outcome(end)).stop();
        }

        /** Ends with the same keys as all others. They are set at the end, so that calls under way have no outcome yet. */
        @Override
        public void onFailure(Throwable failure) {
            observation.error(failure);
            observation.lowCardinalityKeyValue(OUTCOME, "failed").stop();
        }

        private String outcome(CallEnd end) {
            return switch (end) {
                case RAN -> call.resumed ? "resumed" : "first";
                case REPLAYED -> call.waited ? "waited" : "replayed";
                case IN_PROGRESS -> "conflict";
                case MISMATCH, ATTENTION -> end.name().toLowerCase(Locale.ROOT);
            };
        }
    }
}
