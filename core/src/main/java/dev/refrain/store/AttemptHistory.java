package dev.refrain.store;

import dev.refrain.api.TraceId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * First and current attempt of a record, derived from the record itself, so that stores need not write them and claiming and
 * completing a new key cost nothing more. The same for every store.
 *
 * @param fence of the current or last claim
 * @param traceId of the first claim
 * @param attention reason and start of attention, if the record needs attention
 * @param seen when the record was read
 */
public record AttemptHistory(
        long fence,
        RecordState state,
        Instant claimed,
        Optional<TraceId> traceId,
        Optional<Instant> completed,
        Optional<Instant> leaseUntil,
        Optional<RecordView.AttentionReason> attention,
        Instant seen) {

    private static final long FIRST = 1;

    /**
     * Returns all attempts, oldest first.
     *
     * @param stored those that the store wrote down: all after the first, and the first once another one followed it
     */
    public List<ClaimAttempt> with(List<ClaimAttempt> stored) {
        var all = new ArrayList<>(stored);
        var current =
                stored.stream().filter(attempt -> attempt.fence() == fence).findFirst();
        current.ifPresent(all::remove);
        current.or(this::unwritten).map(this::asItEnded).ifPresent(all::add);
        all.sort(Comparator.comparingLong(ClaimAttempt::fence));
        return List.copyOf(all);
    }

    /** A decision takes a fence as a claim does, and is no attempt: it leaves the record settled. */
    private Optional<ClaimAttempt> unwritten() {
        boolean attempted = fence == FIRST || state == RecordState.IN_PROGRESS || state == RecordState.ATTENTION;
        return attempted
                ? Optional.of(new ClaimAttempt(
                        fence,
                        Optional.empty(),
                        fence == FIRST ? traceId : Optional.empty(),
                        fence == FIRST ? Optional.of(claimed) : Optional.empty(),
                        Optional.empty(),
                        Optional.empty()))
                : Optional.empty();
    }

    private ClaimAttempt asItEnded(ClaimAttempt attempt) {
        if (attempt.endReason().isPresent()) {
            return attempt;
        }
        return switch (state) {
            case COMPLETED -> attempt.endedAt(completed.orElse(null), ClaimAttempt.COMPLETED);
            case RELEASED -> attempt.endedAt(null, ClaimAttempt.RELEASED);
            case ATTENTION ->
                attempt.endedAt(
                        attention.map(RecordView.AttentionReason::since).orElse(null),
                        attention
                                .map(why -> ClaimAttempt.OUTCOME_UNKNOWN + ": " + why.reason())
                                .orElse(ClaimAttempt.OUTCOME_UNKNOWN));
            case IN_PROGRESS ->
                leaseUntil.filter(until -> !until.isAfter(seen)).isPresent()
                        ? attempt.endedAt(leaseUntil.orElseThrow(), ClaimAttempt.LEASE_ENDED)
                        : attempt;
        };
    }
}
