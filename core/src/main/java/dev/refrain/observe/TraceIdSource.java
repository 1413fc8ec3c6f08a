package dev.refrain.observe;

import dev.refrain.api.TraceId;
import java.util.Optional;

/**
 * Finds the trace that the calling thread is a part of, such as the current span of Micrometer or OpenTelemetry. A record keeps it, so that
 * people find the logs of the request that made it. Called for each claim: must be fast and must not throw.
 */
@FunctionalInterface
public interface TraceIdSource {

    Optional<TraceId> current();

    /** Returns a source that knows no trace. */
    static TraceIdSource none() {
        return Optional::empty;
    }
}
