package dev.refrain.metrics;

import dev.refrain.key.RecordId;
import dev.refrain.observe.Event;
import dev.refrain.observe.Listener;
import dev.refrain.observe.Watch;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Locale;
import java.util.Optional;

/**
 * Each call of an operation is an observation, {@code refrain.call}, and so a span where there is tracing. It is the current one while the
 * work runs: what the work does is below it. Thread-safe.
 *
 * <table>
 *   <caption>Key values</caption>
 *   <tr><td>operation</td><td>low cardinality: its name</td></tr>
 *   <tr><td>outcome</td><td>low cardinality: first, resumed, replayed, waited (replayed after a wait), conflict, mismatch, attention,
 *       failed</td></tr>
 *   <tr><td>refrain.record</td><td>high cardinality: the record's id, the same for the first run and every replay of it</td></tr>
 * </table>
 */
public final class ObservedCalls implements Listener {

    /** The name of the observations. */
    public static final String NAME = "refrain.call";

    static final String OPERATION = "operation";
    static final String OUTCOME = "outcome";
    static final String RECORD = "refrain.record";

    private final ObservationRegistry registry;

    public ObservedCalls(ObservationRegistry registry) {
        this.registry = registry;
    }

    /** What is known of a call beside its key values. */
    private static final class Call extends Observation.Context {
        private boolean waited;
        private boolean resumed;
    }

    @Override
    public Watch onCall(String operation) {
        var call = new Call();
        var observation = Observation.createNotStarted(NAME, () -> call, registry)
                .contextualName("refrain " + operation)
                .lowCardinalityKeyValue(OPERATION, operation)
                // Every observation of one name has the same keys, however it ends.
                .lowCardinalityKeyValue(OUTCOME, "failed");
        return observation.isNoop() ? Watch.NONE : new Observed(observation.start(), call);
    }

    /** Of the call that goes on on this thread. */
    @Override
    public void onEvent(Event event) {
        switch (event) {
            case Event.Waited waited -> current().ifPresent(call -> call.waited = true);
            case Event.Resumed resumed ->
                current().ifPresent(call -> {
                    call.resumed = true;
                    call.addHighCardinalityKeyValue(record(resumed.id()));
                });
            case Event.Completed completed -> name(completed.id());
            case Event.Released released -> name(released.id());
            case Event.FencedOut fenced -> name(fenced.id());
            case Event.OutcomeUnknown unknown -> name(unknown.id());
            default -> {}
        }
    }

    private void name(RecordId id) {
        current().ifPresent(call -> call.addHighCardinalityKeyValue(record(id)));
    }

    private Optional<Call> current() {
        var observation = registry.getCurrentObservation();
        return observation != null && observation.getContext() instanceof Call call
                ? Optional.of(call)
                : Optional.empty();
    }

    private static KeyValue record(RecordId id) {
        return KeyValue.of(RECORD, id.toString());
    }

    private record Observed(Observation observation, Call call) implements Watch {

        @Override
        public Here openScope() {
            var scope = observation.openScope();
            return scope::close;
        }

        @Override
        public void onEnd(End end, Optional<RecordId> record) {
            record.ifPresent(id -> call.addHighCardinalityKeyValue(ObservedCalls.record(id)));
            observation.lowCardinalityKeyValue(OUTCOME, outcome(end)).stop();
        }

        @Override
        public void onFailure(Throwable failure) {
            observation.error(failure);
            observation.stop();
        }

        private String outcome(End end) {
            return switch (end) {
                case RAN -> call.resumed ? "resumed" : "first";
                case REPLAYED -> call.waited ? "waited" : "replayed";
                case IN_PROGRESS -> "conflict";
                case MISMATCH, ATTENTION -> end.name().toLowerCase(Locale.ROOT);
            };
        }
    }
}
