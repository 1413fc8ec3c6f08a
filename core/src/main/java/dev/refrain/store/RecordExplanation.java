package dev.refrain.store;

import dev.refrain.api.RecoveryPoint;
import dev.refrain.api.TraceId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Facts about a record for a person who has to find out what happened.
 *
 * @param operation such as {@code POST /payments/{id}}; empty for records of older versions
 * @param caller who sent the request that created it, where that is known and differs from the scope
 * @param traceId trace of that request
 * @param age since the first claim, by the store's clock; may be overstated, never understated
 * @param recoveryPoint last committed phase of a flow
 * @param calls calls that may have been sent to other systems, with their keys
 * @param attempts oldest first; at least the current one, at most {@link ClaimAttempt#KEPT} and the first
 */
public record RecordExplanation(
        Optional<String> operation,
        Optional<String> caller,
        Optional<TraceId> traceId,
        Duration age,
        Optional<RecoveryPoint> recoveryPoint,
        List<AnnouncedCall> calls,
        List<ClaimAttempt> attempts) {

    public RecordExplanation {
        calls = List.copyOf(calls);
        attempts = List.copyOf(attempts);
    }
}
