package dev.refrain.store.cas;

import dev.refrain.store.AnnouncedCall;
import dev.refrain.store.AttemptHistory;
import dev.refrain.store.ClaimAttempt;
import dev.refrain.store.RecordExplanation;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordView;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** History of a record, for people: its attempts and the calls that it may have sent. */
final class RecordHistory {

    private RecordHistory() {}

    static RecordExplanation explain(MutableRecord record, Function<String, List<String>> steps, Instant now) {
        return new RecordExplanation(
                Optional.of(record.origin.operation()).filter(name -> !name.isEmpty()),
                record.origin.caller(),
                record.origin.traceId(),
                record.age(now),
                record.recoveryPoint,
                calls(record, steps),
                attempts(record, now));
    }

    /** A flow announces each call; what a leased operation sends is known only by the steps that it has asked keys for. */
    private static List<AnnouncedCall> calls(MutableRecord record, Function<String, List<String>> steps) {
        return record.isFlow()
                ? AnnouncedCall.ofFlow(
                        record.id, record.recoveryPoint.orElse(null), record.callAnnouncedAt.orElse(null))
                : AnnouncedCall.ofSteps(record.id, steps.apply(record.origin.operation()));
    }

    static Optional<ClaimAttempt> currentAttempt(MutableRecord record, Instant now) {
        return attempts(record, now).stream()
                .filter(attempt -> attempt.fence() == record.fence)
                .findFirst();
    }

    private static List<ClaimAttempt> attempts(MutableRecord record, Instant now) {
        return new AttemptHistory(
                        record.fence,
                        record.state,
                        record.claimedAt,
                        record.origin.traceId(),
                        record.completedAt,
                        Optional.of(record.leaseUntil),
                        record.state == RecordState.ATTENTION
                                ? Optional.of(new RecordView.AttentionReason(record.reason, record.attentionSince))
                                : Optional.empty(),
                        now)
                .with(record.attemptLog.written());
    }
}
