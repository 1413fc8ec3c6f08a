package dev.refrain.store.cas;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.store.AbandonedRecord;
import dev.refrain.store.AbandonedRecordSearch;
import dev.refrain.store.RecordState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Attempts to complete a record without its caller. */
final class RecordCompletion {

    private RecordCompletion() {}

    /** Returns the record for a completer; empty if it is in progress, needs attention, or has had all its attempts. */
    static Optional<AbandonedRecord> takeUp(MutableRecord record, AbandonedRecordSearch order, Instant now) {
        var graceOver = record.leaseUntil.plus(order.gracePeriod());
        boolean resumable = record.state == RecordState.IN_PROGRESS && record.takeOver == LeaseExpiryPolicy.RESUME;
        if (resumable && now.isBefore(graceOver)) {
            record.dueAt = graceOver;
            return Optional.empty();
        }
        if (record.expired(now) || (!resumable && record.state != RecordState.RELEASED)) {
            record.dueAt = now.plus(AbandonedRecordSearch.LONGEST_PAUSE);
            return Optional.empty();
        }
        if (record.attempts >= order.maxAttempts()) {
            record.escalate(record.escalationReason(List.of()).ofLastAttempt(record.attempts), now);
            return Optional.empty();
        }
        record.attempts++;
        record.dueAt = now.plus(order.backoffAfter(record.attempts));
        return Optional.of(new AbandonedRecord(
                record.identity.orElseThrow(), record.id, record.fingerprint.orElseThrow(), record.attempts));
    }
}
