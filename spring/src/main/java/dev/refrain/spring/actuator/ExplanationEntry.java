package dev.refrain.spring.actuator;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.api.TraceId;
import dev.refrain.store.AnnouncedCall;
import dev.refrain.store.ClaimAttempt;
import dev.refrain.store.RecordExplanation;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Explanation of a record in the actuator's JSON, under the names that the command line and the console use too.
 *
 * @param recoveryPoint the last committed phase of a flow
 * @param calls those that may have been sent, with the keys to ask the other systems for
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ExplanationEntry(
        @Nullable String operation,
        @Nullable String caller,
        @Nullable String traceId,
        long ageSeconds,
        @Nullable String recoveryPoint,
        List<CallEntry> calls,
        List<AttemptEntry> attempts) {

    /** Call that may have been sent. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record CallEntry(
            String step, String derivedKey, @Nullable Instant announcedAt) {

        static CallEntry of(AnnouncedCall call) {
            return new CallEntry(
                    call.step(), call.derivedKey(), call.announcedAt().orElse(null));
        }
    }

    /** Claim of the record. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record AttemptEntry(
            long fence,
            @Nullable String instance,
            @Nullable String traceId,
            @Nullable Instant began,
            @Nullable Instant ended,
            @Nullable String endReason) {

        static AttemptEntry of(ClaimAttempt attempt) {
            return new AttemptEntry(
                    attempt.fence(),
                    attempt.instance().orElse(null),
                    attempt.traceId().map(TraceId::toString).orElse(null),
                    attempt.began().orElse(null),
                    attempt.ended().orElse(null),
                    attempt.endReason().orElse(null));
        }
    }

    static ExplanationEntry of(RecordExplanation explanation) {
        return new ExplanationEntry(
                explanation.operation().orElse(null),
                explanation.caller().orElse(null),
                explanation.traceId().map(TraceId::toString).orElse(null),
                explanation.age().toSeconds(),
                explanation.recoveryPoint().map(RecoveryPoint::name).orElse(null),
                explanation.calls().stream().map(CallEntry::of).toList(),
                explanation.attempts().stream().map(AttemptEntry::of).toList());
    }
}
