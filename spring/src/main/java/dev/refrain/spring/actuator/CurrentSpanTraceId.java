package dev.refrain.spring.actuator;

import dev.refrain.api.TraceId;
import dev.refrain.observe.TraceIdSource;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;

/** Finds the trace of the current Micrometer span. The tracer is looked up once, at the first claim. Thread-safe. */
final class CurrentSpanTraceId implements TraceIdSource {

    private final ObjectProvider<Tracer> tracers;
    private volatile Optional<Tracer> tracer = Optional.empty();
    private volatile boolean lookedUp;

    CurrentSpanTraceId(ObjectProvider<Tracer> tracers) {
        this.tracers = tracers;
    }

    @Override
    public Optional<TraceId> current() {
        if (!lookedUp) {
            tracer = Optional.ofNullable(tracers.getIfUnique());
            lookedUp = true;
        }
        return tracer.map(Tracer::currentSpan).map(Span::context).flatMap(at -> TraceId.parse(at.traceId()));
    }
}
